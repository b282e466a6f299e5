"""What rules find in a tree, and what a migration changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from porter.model.source import Edit, Span


class Safety(IntEnum):
    """How sure a rule is of its edit; ordered, so that a gate is one comparison."""

    MANUAL = 0
    REVIEW = 1
    SAFE = 2

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Place:
    """A node that the rule's codemod is to rewrite, and what the finder knows about it."""

    span: Span
    known: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """What a rule's finder yields; the engine makes a Finding of it."""

    span: Span
    edits: tuple[Edit, ...] = ()
    message: str | None = None  # else the rule's own
    safety: Safety | None = None  # only ever lower than the rule's own
    name: str | None = None  # the torch name concerned
    place: Place | None = None  # for the rule's codemod, which makes the edits


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One place that a rule concerns; line and column count from 1, columns in bytes."""

    rule: str
    path: str
    span: Span
    line: int
    column: int
    message: str
    safety: Safety
    edits: tuple[Edit, ...] = ()
    name: str | None = None
    cell: int = 0  # of a notebook, from 1: the line is in it
    accepted: bool = False  # by the user's baseline: it is not counted


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule or a reader that raised on one file; the run goes on."""

    path: str
    where: str  # rule id or stage
    error: str


class Delivery(StrEnum):
    """How a ported tree gets what its target lacks: by a package that it imports, or as files of
    its own."""

    PACKAGE = "package"
    VENDORED = "vendored"


class Style(StrEnum):
    """dual: one tree for both frameworks. fork: the target only."""

    DUAL = "dual"
    FORK = "fork"


@dataclass(frozen=True, slots=True)
class Form:
    """How a port is written."""

    style: Style = Style.DUAL
    delivery: Delivery = Delivery.PACKAGE

    @property
    def is_fork(self) -> bool:
        return self.style is Style.FORK

    @property
    def is_vendored(self) -> bool:
        return self.delivery is Delivery.VENDORED


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Why a file of the plan is as it is: one rule or polyfill piece, and when it can go."""

    rule: str
    reason: str
    until: str  # removal condition
    count: int = 1
    title: str = ""  # the pattern found, in a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePatch:
    """One file before and after; no `before` is a new file, no `after` a deleted one."""

    path: str
    before: bytes | None
    after: bytes | None
    changes: tuple[Change, ...]
    renamed_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that migrate does to a tree."""

    patches: tuple[FilePatch, ...] = ()
    fixes: tuple[FilePatch, ...] = ()  # the part of the patches that comes first, on its own
    applied: tuple[Finding, ...] = ()
    open: tuple[Finding, ...] = ()  # not edited: below the gate, or no edit known
    deferred: tuple[Finding, ...] = ()  # still overlapping after the last pass
    crashes: tuple[Crash, ...] = ()
    passes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchRecord:
    """The patch as written: files relative to the run's folder."""

    path: str
    series: tuple[str, ...] = ()
    files: int = 0
    added: int = 0
    removed: int = 0
    changes: tuple[tuple[str, tuple[Change, ...]], ...] = ()  # path -> why
    digest: str = ""  # of the tree's content with the patch
    fixed: str = ""  # the commit of the run's tree with the fixes alone, where there are any
    fixes: tuple[Change, ...] = ()  # what they are, a rule each
    compat_wheel: str | None = None  # the package of pieces, where the patched tree imports it
