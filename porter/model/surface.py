"""What a version of a framework offers, and what a repository uses of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from porter.model.findings import Finding
from porter.model.source import Language, Role


class State(StrEnum):
    """What a target has for a torch name."""

    PRESENT = "present"
    MISSING = "missing"
    UNKNOWN = "gpu-only or unknown"  # this build cannot tell
    DIFFERENT = "different"  # there, and means something else


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One name of a surface."""

    kind: str  # module, class, function, attribute, macro, header, member, namespace, ...
    state: State = State.PRESENT
    signatures: tuple[str, ...] = ()
    provenance: str = ""  # where it was seen: proxy, header path, export table, probe
    facts: tuple[str, ...] = ()  # behaviour that differs, one sentence each


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What one version of a package offers, by language, then by qualified name."""

    package: str
    version: str
    build: str  # cpu, cuda, rocm, npu
    python: Mapping[str, Symbol] = field(default_factory=dict)
    cpp: Mapping[str, Symbol] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """A torch-specific name at one place of the repository."""

    name: str
    language: Language
    path: str
    line: int
    column: int
    role: Role
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A name the repository uses and the target lacks or changes."""

    name: str
    language: Language
    uses: int
    state: State
    answer: str = ""  # polyfill or rule id that answers it
    facts: tuple[str, ...] = ()


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


def place(item: Finding | Residue | Use | Difference) -> tuple[str, int]:
    """Where something stands, for people: the file, with the cell of a notebook, and the line."""
    return (f"{item.path}:cell {item.cell}" if item.cell else item.path), item.line
