"""nvcc says a line and shows it with its macros expanded, a caret below: the tokens of the source's
own line decide the column."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.languages import cpp
from porter.model import Diagnostic

EDG = re.compile(
    r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<m>.+)$"
)
Shown = dict[tuple[str, int, str], list[tuple[str, int]]]  # file, line, message: text and caret
_LARGEST = 2_000_000  # bytes of a file worth reading for this


def shown(text: str, placed: Callable[[str], str]) -> Shown:
    """What nvcc shows below its errors: the line, and the offset of the caret in it."""
    lines = text.splitlines()
    found: Shown = defaultdict(list)
    for number, line in enumerate(lines[:-2]):
        error = EDG.match(line)
        if error and lines[number + 2].strip() == "^":
            key = placed(error["path"]), int(error["line"]), error["m"].strip()
            found[key].append((lines[number + 1], lines[number + 2].index("^")))
    return found


def columned(found: Iterable[Diagnostic], carets: Shown, tree: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics, those of nvcc with a column where one can be told; what was said of
    several places of a line is repeated for each."""
    sources = _Sources(tree)
    return tuple(one for item in found for one in _each(item, carets, sources))


@dataclass(slots=True)
class _Sources:
    tree: Path
    _lines: dict[str, dict[int, list[tuple[str, int]]]] = field(default_factory=dict)

    def line(self, path: str, number: int) -> list[tuple[str, int]]:
        """The tokens of a line of a file, with their columns."""
        if path not in self._lines:
            self._lines[path] = defaultdict(list)
            full = self.tree / path
            if full.is_file() and full.stat().st_size <= _LARGEST:
                unit = cpp.parse(full.read_bytes(), path)
                for token in unit.tokens:
                    line, column = unit.position(token.start)
                    self._lines[path][line].append((token.text, column))
        return self._lines[path].get(number, [])


def _each(item: Diagnostic, carets: Shown, sources: _Sources) -> Iterator[Diagnostic]:
    if item.tool != "nvcc" or item.column or not item.line or Path(item.path).is_absolute():
        yield item
        return
    line = sources.line(item.path, item.line)
    pointed = carets.get((item.path, item.line, item.message), ())
    columns = [_pointed(text, caret, line) for text, caret in pointed]
    known = [column for column in columns if column]
    for column in dict.fromkeys(known) or [_named(item, line)]:
        yield replace(item, column=column)


def _pointed(text: str, caret: int, line: Sequence[tuple[str, int]]) -> int | None:
    """The column in the source of what the caret is below in the line as it is shown."""
    tokens = cpp.parse(text.encode(), "").tokens
    at = next((i for i, t in enumerate(tokens) if t.start <= caret < t.end), None)
    if at is None:
        return None
    word = tokens[at].text
    before = sum(token.text == word for token in tokens[:at])
    same = [column for written, column in line if written == word]
    if len(same) > before:
        return same[before]
    texts = {token.text for token in tokens}  # it comes from a macro, which is not shown
    return next((c for written, c in line if written[0].isalpha() and written not in texts), None)


def _named(item: Diagnostic, line: Sequence[tuple[str, int]]) -> int | None:
    name = (item.name or "").rpartition("::")[2].removeprefix("operator")
    return next((column for written, column in line if written == name), None)
