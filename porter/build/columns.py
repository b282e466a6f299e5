"""nvcc says a line and shows it with a caret, macros expanded; the tokens of the source's own line
decide the column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from porter.languages import cpp
from porter.model import Diagnostic

Shown = dict[tuple[str, int, str], list[tuple[str, int]]]  # file, line, message: line and column
_MARGIN = 2  # blanks that nvcc puts before a line
_LARGEST = 2_000_000  # bytes of a file worth reading for this


def columned(found: Iterable[Diagnostic], shown: Shown, tree: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics, those of nvcc with a column where one can be told; one that was said of
    several places of a line is repeated for each."""
    lines: dict[str, dict[int, list[cpp.Token]]] = {}
    starts: dict[str, cpp.Unit] = {}

    def tokens(item: Diagnostic) -> tuple[cpp.Unit, list[cpp.Token]] | None:
        if item.path not in starts:
            path = tree / item.path
            if not path.is_file() or path.stat().st_size > _LARGEST:
                return None
            unit = cpp.parse(path.read_bytes(), item.path)
            starts[item.path] = unit
            lines[item.path] = _by_line(unit)
        return starts[item.path], lines[item.path].get(item.line, [])

    return tuple(one for item in found for one in _each(item, shown, partial(tokens, item)))
