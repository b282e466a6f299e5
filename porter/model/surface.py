"""What a version of a framework offers, and what a repository uses of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from porter.model.findings import Finding
from porter.model.scope import Unused
from porter.model.source import Language, Role


class State(StrEnum):
    """What a target has for a torch name."""

    PRESENT = "present"
    MISSING = "missing"
    UNKNOWN = "gpu-only or unknown"  # this build cannot tell
    DIFFERENT = "different"  # there, and means something else


class When(StrEnum):
    """Which uses of a name a fact concerns; the value begins its text in files."""

    ANY = "any"  # every use
    CALL = "call"  # every call
    KEYWORD = "keyword"  # calls that pass this keyword
    POSITION = "position"  # calls with so many arguments by position or more
    DTYPE = "dtype"  # calls whose first argument is a dtype
    TRUTH = "truth"  # uses as a condition, or compared with None
    GATE = "gate"  # uses in a comparison of versions
    SOME_USES = "some uses"  # uses that no one can tell from their form; never residue
    MEASURED = "measured"  # some calls on small inputs, with at least so many arguments
    ELSEWHERE = "elsewhere"  # shows only where the thing named is used later
    STREAMED = "streamed"  # C++: calls of a macro followed by `<<`
    ARGUMENT = "argument"  # C++: calls whose first argument is one of these words
    HEADER = "header"  # C++: uses in a file that includes none of these headers, by no way
    LINK = "link"  # C++: what is linked in an extension
    REFUSED = "refused"  # C++: what a macro leaves out


@dataclass(frozen=True, slots=True)
class Condition:
    """When a fact holds; `words` and `count` are what the kind of condition asks for."""

    when: When
    words: tuple[str, ...] = ()
    count: int = 0

    def __str__(self) -> str:
        return " ".join(filter(None, (self.when, "|".join(self.words), str(self.count or ""))))


@dataclass(frozen=True, slots=True)
class Fact:
    """How a name differs from torch's: under which condition, and what happens (one sentence)."""

    condition: Condition
    sentence: str
    quirk: str = ""  # id of the record that says so, where it was not read off a signature or call
    form: str = ""  # of use, by the name that porter/residue gives it: the use surely is concerned
    # What a call's arguments must be: alternatives of (parameter, words of surface/arguments).
    where: tuple[tuple[tuple[str, str], ...], ...] = ()
    signature: str = ""  # torch's, where its surface has none
    beside: tuple[str, ...] = ()  # names of which the repository has to use one

    @property
    def when(self) -> When:
        return self.condition.when

    def __str__(self) -> str:
        return f"{self.condition}: {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One name of a surface."""

    kind: str  # module, class, function, attribute, macro, header, member, namespace, ...
    state: State = State.PRESENT
    signatures: tuple[str, ...] = ()
    provenance: str = ""  # where it was seen: proxy, header path, export table, probe
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What one version of a package offers, by language, then by qualified name."""

    package: str
    version: str
    build: str  # cpu, cuda, rocm, npu
    python: Mapping[str, Symbol] = field(default_factory=dict)
    cpp: Mapping[str, Symbol] = field(default_factory=dict)
    # By id of a quirk, the names it holds for, none where it is gone. Which of the target's quirks
    # are not in it, nobody asked.
    quirks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # By id of a quirk, what its probes raised: porter.surface.errors
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def without_facts(self, said: Mapping[str, Collection[str]]) -> Surface:
        """The surface without these facts of Python names, given as text by name; `LACKED` is
        that the name is missing."""
        known = {name: self.python[name] for name in said if name in self.python}
        left = {
            name: replace(
                symbol,
                state=State.PRESENT if LACKED in said[name] else symbol.state,
                facts=tuple(f for f in symbol.facts if str(f) not in said[name]),
            )
            for name, symbol in known.items()
        }
        return replace(self, python={**self.python, **left})


LACKED = "is missing"  # of a name, among facts as text


class Given(NamedTuple):
    """The arguments of a call: of each what is seen of it, as porter/surface/arguments says it;
    or an attribute of an object. A tuple, as there are many."""

    positional: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()
    more: bool = False  # others, in `*` or `**`; then no position is known
    receiver: str = ""  # of a method or attribute
    fate: str = ""  # of what it gives, as porter/uses/tensors says it
    called: bool = True  # else an attribute, without arguments


class Use(NamedTuple):
    """A torch-specific name at one place of the repository. A tuple, as there are many."""

    name: str
    language: Language
    path: str
    line: int
    column: int
    role: Role
    cell: int = 0  # of a notebook, from 1: the line is in it
    given: Given | None = None  # of a call or an attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A name the repository uses and the target lacks or changes."""

    name: str
    language: Language
    uses: int
    state: State
    answer: str = ""  # polyfill or rule id that answers it
    facts: tuple[Fact, ...] = ()
    accepted: bool = False  # by the user's baseline: it is not counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A use in Python of a name that the target has, and that means something else there."""

    path: str
    line: int
    column: int  # in bytes, from 1
    name: str
    consequence: str  # one line
    sure: bool  # the use is of a form that it holds of; else of some calls that were measured
    answer: str = ""  # polyfill or rule id that answers it
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What is said of a name without knowing that it holds at its places, the first of which is
    told: it depends on a type or value that the source does not show."""

    name: str
    reason: str
    path: str
    line: int
    sites: int = 1
    answer: str = ""  # polyfill or rule id that answers it
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True)
class Mention:
    """A use of torch in a document, which nothing edits, and what it is under the target."""

    path: str
    line: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Residue:
    """A torch-specific use that no rule or polyfill answered."""

    path: str
    line: int
    column: int
    name: str
    reason: str
    state: State
    cell: int = 0  # of a notebook, from 1: the line is in it


def place(item: Finding | Residue | Use | Difference | Guess | Unused) -> tuple[str, int]:
    """Where something stands, for people: the file, with the cell of a notebook, and the line."""
    return (f"{item.path}:cell {item.cell}" if item.cell else item.path), item.line
