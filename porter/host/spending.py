"""Where the time of processes goes, by their kind."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from pathlib import PurePath

from porter.model import Step

Spent = Mapping[str, tuple[int, float]]  # by kind: how many processes, and their seconds

_spent: dict[str, tuple[int, float]] = {}
_counting = threading.Lock()


def total(before: Spent | None = None) -> dict[str, tuple[int, float]]:
    """How many processes have ended, and their seconds, by kind; only what came since `before`."""
    known = before or {}
    with _counting:
        now = dict(_spent)
    past = {kind: known.get(kind, (0, 0.0)) for kind in now}
    return {k: (n - past[k][0], s - past[k][1]) for k, (n, s) in now.items() if n > past[k][0]}


def add(step: Step, seconds: float) -> None:
    """Count a process that has ended, from any thread."""
    kind = kind_of(step)
    with _counting:  # steps run side by side
        number, before = _spent.get(kind, (0, 0.0))
        _spent[kind] = (number + 1, before + seconds)


def kind_of(step: Step) -> str:
    """The program of a step; of Python what it is for."""
    program = PurePath(step.argv[0]).name
    if re.fullmatch(r"python[\d.]*", program):
        named = re.match(r"[A-Za-z][A-Za-z _-]*[A-Za-z]", step.name)
        return f"python: {named[0] if named else step.name}"
    return program
