"""Operators of NPUs by another route into a framework: which routes there are, and what is done."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.model import AscendRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A route that operators can be converted to; `title` and `reason` are of the commit."""

    route: AscendRoute
    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Left:
    """What is not mechanical: where, of which operator, and why."""

    path: str
    line: int
    name: str
    reason: str


@dataclass(slots=True)
class Conversion:
    """The files that differ, None where one goes, what stays for a person, and what they are to
    know."""

    files: dict[str, bytes | None] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
