"""The tokens of the tree's sources by line, as diagnostics point at them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from porter.languages import cpp

_LARGEST = 2_000_000  # bytes of a file worth reading for this


class Token(NamedTuple):
    text: str
    line: int
    column: int


@dataclass(slots=True)
class Sources:
    """Files below a tree; one that is not there, or too large, has no tokens."""

    tree: Path
    _units: dict[str, cpp.Unit | None] = field(default_factory=dict)
    _lines: dict[str, dict[int, list[Token]]] = field(default_factory=dict)

    def unit(self, path: str) -> cpp.Unit | None:
        if path not in self._units:
            full = self.tree / path
            readable = os.path.isfile(full) and full.stat().st_size <= _LARGEST  # noqa: PTH113 - no name is too long
            self._units[path] = cpp.parse(full.read_bytes(), path) if readable else None
        return self._units[path]

    def line(self, path: str, number: int) -> list[Token]:
        """The tokens that begin on a line of a file."""
        if path not in self._lines:
            self._lines[path] = defaultdict(list)
            unit = self.unit(path)
            for token in unit.tokens if unit else ():
                place = unit.position(token.start) if unit else (0, 0)
                self._lines[path][place[0]].append(Token(token.text, *place))
        return self._lines[path].get(number, [])

    def statement(self, path: str, number: int) -> list[Token]:
        """The tokens of a line, and of those after it up to where its brackets close."""
        found = list(self.line(path, number))
        depth, last = _depth(found), max(self._lines[path], default=0)
        while depth > 0 and number < last:
            number += 1
            more = self.line(path, number)
            found += more
            depth += _depth(more)
        return found


def _depth(tokens: Iterable[Token]) -> int:
    """How many parentheses are left open."""
    return sum((token.text == "(") - (token.text == ")") for token in tokens)
