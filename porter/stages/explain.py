"""What porter knows of one torch name: what a target has for it, and what porter does about it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.errors import UsageError
from porter.host.home import rules_home
from porter.languages.read import read
from porter.model import Language, Missing, SourceFile, State, Surface, Symbol
from porter.rules import examples
from porter.rules.examples import Example
from porter.rules.loader import load_pack
from porter.rules.rule import Rule
from porter.surface.load import load, load_torch
from porter.surface.names import Known, cpp_name, cpp_state, python_state
from porter.surface.quirks import Quirk, read_quirks
from porter.targets.protocol import Target
from porter.unit import find_offers, pieces
from porter.unit.parts import is_instead
from porter.uses.lookup import FORM, uses_in

_MACRO = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+\Z")
_ROOTS = ("torch", "at", "c10", "caffe2")


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTarget:
    """What one version of a target has; `facts` say how signature and behaviour differ."""

    version: str
    state: State
    signatures: tuple[str, ...]
    facts: tuple[str, ...]
    polyfill: str  # id of the piece that fills the gap, or nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What porter does about a name: a rule that edits or reports it, or a polyfill piece."""

    kind: str  # rule, polyfill
    id: str
    title: str
    why: str
    until: str
    safety: str = ""
    before: str = ""  # an example of a rule; without `after` it is reported only
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """All of it; `probes` are lines whose `holds` is true under torch and may not be elsewhere."""

    name: str  # as torch lists it
    language: Language
    torch_version: str
    torch: Symbol | None
    target: str
    versions: tuple[OnTarget, ...]  # oldest first
    answers: tuple[Answer, ...]
    probes: tuple[str, ...]


def explain(name: str, target: Target, versions: Sequence[str]) -> Explained:
    """What is known of a qualified torch name on these versions of a target.

    Python names have dots (`torch.Tensor.view`), C++ names colons (`at::Tensor::view`), macros
    capitals, headers angle brackets. Raises UsageError for what torch does not list either.
    """
    torch = load_torch()
    language = _language(name)
    surfaces = [load(target.name, version) for version in versions]
    known = [_look_up(name, language, surface, torch) for surface in surfaces]
    listed = known[-1].name if known[-1] else name
    symbol = (torch.python if language is Language.PYTHON else torch.cpp).get(listed)
    whole = _last(listed) == _last(name)  # else it is that of the class or module it would be in
    unheard = all(one is None or one.state is State.UNKNOWN for one in known)
    if not whole or (symbol is None and unheard):
        close = _close(name, language, torch)
        hint = f"did you mean {close}?" if close else "use a qualified name: at::Tensor::sum"
        raise UsageError(f"torch {torch.version} lists no {name!r}", hint=hint)
    quirks = read_quirks(rules_home() / target.pack)
    found = tuple(
        _describe_on_target(one or Known(name, State.UNKNOWN), language, surface, target, quirks)
        for one, surface in zip(known, surfaces, strict=True)
    )
    return Explained(
        name=listed,
        language=language,
        torch_version=torch.version,
        torch=symbol,
        target=target.name,
        versions=found,
        answers=(
            *_answers_of_rules({name, listed}, language, target),
            *_answers_of_pieces({one.polyfill for one in found}, target),
        ),
        probes=tuple(q.probes[listed] for q in quirks.values() if listed in q.probes),
    )


def _language(name: str) -> Language:
    native = "::" in name or name.startswith("<") or _MACRO.match(name)
    if not native and name.partition(".")[0] not in _ROOTS:
        raise UsageError(
            f"{name!r} is not a name in torch",
            hint="as in torch.equal, at::Tensor::sum, TORCH_CHECK",
        )
    return Language.CPP if native else Language.PYTHON


def _look_up(name: str, language: Language, surface: Surface, torch: Surface) -> Known | None:
    if language is Language.PYTHON:
        return python_state(name, surface, torch)
    return cpp_state(name, surface, torch) or cpp_state(cpp_name(name, torch.cpp), surface, torch)


def _last(name: str) -> str:
    return name if name.startswith("<") else re.split(r"::|\.", name)[-1]


def _close(name: str, language: Language, torch: Surface) -> str:
    names = torch.python if language is Language.PYTHON else torch.cpp
    last = _last(name)
    same = [n for n in names if n.endswith((f".{last}", f"::{last}"))]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.8)
    return next(iter(near or difflib.get_close_matches(name, same, n=1, cutoff=0.3)), "")


def _describe_on_target(
    known: Known,
    language: Language,
    surface: Surface,
    target: Target,
    quirks: Mapping[str, Quirk],
) -> OnTarget:
    side = surface.python if language is Language.PYTHON else surface.cpp
    symbol = side.get(known.name)
    # A surface has no facts of what is missing: these hold of what a piece puts in its place.
    named = (q for q in quirks.values() if known.state is State.MISSING and q.state is None)
    left = [q.fact for q in named if known.name in q.names_on(surface)]
    return OnTarget(
        version=surface.version,
        state=known.state,
        signatures=symbol.signatures if symbol else (),
        facts=tuple(map(str, (*known.facts, *left))),
        polyfill=_find_filling_piece(known, language, surface, target),
    )


def _find_filling_piece(known: Known, language: Language, surface: Surface, target: Target) -> str:
    """The piece that gives the name where the target lacks it, or stands for what it has."""
    every = pieces(target.rules / target.pack / "polyfills")
    if language is Language.CPP and known.state is State.PRESENT:
        parts = (part for piece in every for part in piece.parts)
        return next((p.piece for p in parts if known.name in p.names and is_instead(p)), "")
    names = (known.name, *(f"{known.name}({fact.sentence})" for fact in known.facts))
    gaps = [Missing(name=n, language=language, uses=1, state=known.state) for n in names]
    return next(iter(find_offers(every, gaps, surface).values()), "")


def _answers_of_pieces(ids: set[str], target: Target) -> Iterator[Answer]:
    for piece in pieces(target.rules / target.pack / "polyfills"):
        if piece.id in ids:
            yield Answer(
                kind="polyfill", id=piece.id, title=piece.title, why=piece.why, until=piece.until
            )


def _answers_of_rules(names: set[str], language: Language, target: Target) -> Iterator[Answer]:
    """The rules in whose examples a use of the name is found."""
    words = [_last(name).strip("<>").encode() for name in names]
    for rule in load_pack(target.pack).rules:
        if rule.language is language:
            shown = (e for e in examples.examples(rule) if not e.is_untouched and not e.created)
            near = (e for e in shown if any(word in e.before for word in words))
            example = next((e for e in near if names & _names_of_example(rule, e)), None)
            if example is not None:
                yield _answer(rule, example)


def _names_of_example(rule: Rule, example: Example) -> set[str]:
    """The names that an example of a rule is about: those it takes away, else those in the lines
    where it finds something."""
    found = examples.find(rule, example.before, example)
    before = _names(rule, example, example.before)
    after = _names(rule, example, example.after) if example.after is not None else before
    lines = {finding.line for finding in found}
    gone = {name for name, _ in before} - {name for name, _ in after}
    named = {finding.name for finding in found if finding.name}
    return named | (gone or {name for name, line in before if line in lines})


def _names(rule: Rule, example: Example, data: bytes) -> set[tuple[str, int]]:
    """The torch names in the text of an example, with their lines."""
    file = SourceFile(example.path, rule.language, example.role, len(data))
    uses = uses_in(read(data, example.path, rule.language), file)
    forms = ((FORM.match(use.name), use) for use in uses)
    return {(form["name"] if form else use.name, use.line) for form, use in forms}


def _answer(rule: Rule, example: Example) -> Answer:
    return Answer(
        kind="rule",
        id=rule.id,
        title=rule.title,
        why=rule.message,
        until=rule.until,
        safety=rule.safety.label,
        before=example.before.decode(),
        after=(example.after or b"").decode(),
    )
