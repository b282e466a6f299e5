"""A rule: what it looks for, in which files, for which target versions; pure data and functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.languages.python import Module
from porter.languages.read import Document
from porter.languages.text import Words
from porter.model import (
    Condition,
    Delivery,
    Edit,
    Finding,
    Form,
    Language,
    Match,
    ProjectFacts,
    Role,
    Safety,
    Span,
    State,
    Style,
    Surface,
    When,
)
from porter.rules import codemods
from porter.surface.quirks import Quirk
from porter.targets import SOURCE

EDITED_ROLES = frozenset(set(Role) - {Role.VENDORED})


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """A file that a rule adds to the tree."""

    path: str
    data: bytes
    message: str | None = None


Check = Callable[[Document, ProjectFacts, Form], Iterable[Match]]
IsAbout = Callable[[str, ProjectFacts], bool]
Create = Callable[[ProjectFacts, Mapping[str, bytes], Form], Iterable[NewFile]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of a pack; its id is its path below the rules home."""

    id: str
    language: Language
    title: str
    message: str
    safety: Safety
    catalogue: tuple[str, ...] = ()
    # What retires it: that the target has these names and forms of call, and none of the quirks.
    missing: tuple[str, ...] = ()  # `torch.f`, `torch.f(key=)`, `c10::DispatchKey::*`
    quirks: tuple[Quirk, ...] = ()
    always: str = ""  # else why no version of a target retires it,
    of_code: str = ""  # or what the code has to do that it finds nothing
    styles: frozenset[Style] = frozenset(Style)
    deliveries: frozenset[Delivery] = frozenset(Delivery)
    roles: frozenset[Role] = EDITED_ROLES
    not_residue: str = ""  # why its sites are no torch-specific leftovers, where they are none
    needles: tuple[bytes, ...] = ()  # a file without any of these is not looked at,
    # nor one that gets nothing of the source framework, where this is given, without any of these,
    of_source: tuple[bytes, ...] | None = None
    is_about: IsAbout | None = None  # nor one at a path of which this is not so
    check: Check | None = None
    create: Create | None = None
    codemod: Path | None = None  # codemod.py, loaded when it is first needed
    folder: Path

    @property
    def is_fix(self) -> bool:
        """Whether what it edits is refused by today's source framework as well."""
        return self.id.startswith(f"{SOURCE.name}/")

    @property
    def until(self) -> str:
        """Say when it is not needed any more."""
        names = ", ".join(f"`{name}`" for name in self.missing)
        said = [f"the target has {names} with torch's behavior"] if names else []
        said += [quirk.until for quirk in self.quirks]
        return "; ".join(said) or self.of_code or f"never: {self.always}"

    def concerns(self, data: Words, role: Role, *, names_source: bool = True) -> bool:
        """Whether a file of this role and these bytes can match at all."""
        if (self.check is None and self.codemod is None) or role not in self.roles:
            return False
        if not names_source and self.of_source is not None:
            return any(needle in data for needle in self.of_source)
        return not self.needles or any(needle in data for needle in self.needles)

    def is_needed(self, surface: Surface | None, form: Form) -> bool:
        """Whether a target with this surface needs the rule, in this form of a port."""
        if form.style not in self.styles or form.delivery not in self.deliveries:
            return False
        if surface is None or not (self.missing or self.quirks):
            return True
        lacking = any(lacks(surface, name) for name in self.missing)
        return lacking or any(quirk.names_on(surface) for quirk in self.quirks)

    def find(self, document: Document, facts: ProjectFacts, form: Form) -> Iterator[Finding]:
        """What the rule finds in one file. Raises whatever the rule raises."""
        for match in self._matches(document, facts, form):
            line, column = document.position(match.span.start)
            edits = match.edits
            if edits and self.language is Language.CPP:
                edits = align(document.data, edits)
            yield Finding(
                rule=self.id,
                path=document.path,
                span=match.span,
                line=line,
                column=column,
                message=match.message or self.message,
                safety=self.safety if match.safety is None else min(match.safety, self.safety),
                edits=edits,
                name=match.name,
            )

    def _matches(self, document: Document, facts: ProjectFacts, form: Form) -> Iterable[Match]:
        matches = self.check(document, facts, form) if self.check else ()
        if self.codemod is None or not isinstance(document, Module):
            return matches
        request = codemods.Request(self.id, self.codemod, facts, form)
        if self.check is None:
            return codemods.find_by_codemod(request, document)
        return codemods.add_codemod_edits(request, document, list(matches))


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePack:
    """The rules of one target, sorted by id; `folder` is where they were loaded from."""

    target: str
    rules: tuple[Rule, ...]
    folder: Path
    _by_id: Mapping[str, Rule] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {rule.id: rule for rule in self.rules})

    def __getitem__(self, rule: str) -> Rule:
        return self._by_id[rule]

    def fixes(self) -> RulePack:
        """The rules for what today's source framework refuses as well."""
        rules = tuple(rule for rule in self.rules if rule.is_fix)
        return RulePack(target=self.target, rules=rules, folder=self.folder)

    def active(self, surface: Surface | None, form: Form) -> RulePack:
        """The rules that a target with this surface needs, in this form of a port."""
        rules = tuple(rule for rule in self.rules if rule.is_needed(surface, form))
        return RulePack(target=self.target, rules=rules, folder=self.folder)


def lacks(surface: Surface, name: str) -> bool:
    """Whether a target lacks a name, any name below `x::*`, or refuses a keyword: `f(key=)`."""
    if name.endswith("*"):
        below = (s for n, s in surface.cpp.items() if n.startswith(name[:-1]))
        return any(symbol.state is State.MISSING for symbol in below)
    name, _, keyword = name.removesuffix("=)").partition("(")
    symbol = surface.python.get(name) or surface.cpp.get(name)
    if symbol is None or not keyword:
        return symbol is None or symbol.state is not State.PRESENT
    refused = Condition(When.KEYWORD, (keyword,))
    return symbol.state is State.MISSING or any(f.condition == refused for f in symbol.facts)


def align(data: bytes, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits, and what gives each line's closing backslash its column back.

    Only lines where more than one space stands before it: there it was put in a column. An edit
    over several lines, or of several, says nothing of columns: its lines are left alone.
    """
    growth: dict[int, int] = defaultdict(int)  # by the end of the line
    for edit in edits:
        end = data.find(b"\n", edit.span.end)
        if b"\n" not in data[edit.span.start : edit.span.end] + edit.text:
            length = edit.span.end - edit.span.start
            growth[len(data) if end < 0 else end] += len(edit.text) - length
    added = (_shift_continuation(data, end, by) for end, by in sorted(growth.items()))
    return (*edits, *(edit for edit in added if edit is not None))


def _shift_continuation(data: bytes, end: int, by: int) -> Edit | None:
    if by == 0 or not data[:end].rstrip(b"\r").endswith(b"\\"):
        return None
    last = len(data[:end].rstrip(b"\r")) - 1
    first = len(data[:last].rstrip(b" "))
    if last - first < 2:
        return None
    if by < 0:
        return Edit(Span(last, last), b" " * -by)
    return Edit(Span(max(first + 1, last - by), last), b"")
