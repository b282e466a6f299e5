"""One hostile input or fault, and the check whether porter held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A fault to try: `run` gets an empty folder, and returns what was lost, None if nothing."""

    group: str  # the table's row, for instance "git configuration in an sdist"
    name: str  # unique within the group
    run: Callable[[Path], str | None]
    quick: bool = False  # runs in `make test`: seconds at most, needs no framework
