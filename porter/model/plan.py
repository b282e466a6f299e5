"""What a migration changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from porter.model.findings import Crash, Finding


class Style(StrEnum):
    """dual: one tree for both frameworks. fork: the target only."""

    DUAL = "dual"
    FORK = "fork"


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
    applied: tuple[Finding, ...] = ()
    open: tuple[Finding, ...] = ()  # not edited: below the gate, or no edit known
    deferred: tuple[Finding, ...] = ()  # still overlapping after the last pass
    crashes: tuple[Crash, ...] = ()
    passes: int = 0
