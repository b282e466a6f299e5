"""What of a repository a run looks at, and which findings count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

EXCLUDED = "excluded by the configuration"  # why a file is skipped


class Level(StrEnum):
    """What is done with the findings of a rule, by the user's word."""

    OFF = "off"  # the rule is not in force
    MANUAL = "manual"  # they are listed, and never edited
    REVIEW = "review"  # edited with --review
    SAFE = "safe"  # edited, also where the rule asks for a review


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A finding of a baseline: `count` sites in a file that read alike, wherever they stand; with
    `missing` in place of a rule, a name that the target lacks."""

    rule: str
    path: str
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a configuration file and a baseline say of a repository."""

    exclude: tuple[str, ...] = ()  # patterns of paths that are neither read nor edited
    levels: Mapping[str, Level] = field(default_factory=dict)  # by a rule's name, short or whole
    accepted: tuple[Accepted, ...] = ()
    origin: str = ""  # the configuration file, for people


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """A comment `porter: ignore[rule, ...]`, and the rules that it keeps from this file."""

    path: str
    line: int
    rules: tuple[str, ...] = ()  # as written; none: all
    used: tuple[str, ...] = ()
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused:
    """A comment, or a rule that it names, which suppresses nothing; and why."""

    path: str
    line: int
    rule: str  # empty: the whole comment
    reason: str
    cell: int = 0
