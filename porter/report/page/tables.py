"""Tables of the page: the first rows as HTML, the others as JSON that a script shows on demand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

FIRST = 20  # rows that are there at first paint
MOST = 400_000  # bytes of JSON of one table
LONGEST = 600  # characters of a cell
WIDEST = 200  # characters of a quoted line
OPTIONS = 40  # values of a filter

Quote: TypeAlias = tuple[int, list[str]] | None  # the number of the first line, and the lines


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a source, with what stands around it."""

    path: str  # empty where another column has it
    line: int
    quote: Callable[[], Quote] = lambda: None  # called for rows that are on the page


@dataclass(frozen=True, slots=True)
class Mark:
    """A short word with a colour: ok, bad, unsure or none."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """Errors on a logarithmic scale, as paths of dots in an SVG."""

    text: str
    inside: str
    outside: str


Cell: TypeAlias = str | int | Place | Mark | Plot


@dataclass(frozen=True, slots=True)
class Filter:
    """A column with its most frequent values to choose from, and how many rows have each."""

    column: int
    name: str
    values: tuple[tuple[str, int], ...]
    more: int  # values that are not among them


@dataclass(frozen=True, slots=True)
class Table:
    """A section of the page that is a table."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]  # each in JSON
    first: tuple[list[object], ...]  # the same ones, those of first paint
    total: int
    said: str = ""  # below the title
    none: str = "None."  # instead of an empty table
    filters: tuple[Filter, ...] = ()

    @property
    def json(self) -> str:
        return f"[{','.join(self.rows)}]"


def table(
    key: str,
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    said: str = "",
    none: str = "None.",
    filters: Sequence[int] = (),
) -> Table:
    """Make a table of as many rows as fit; the page shows how many do not."""
    from jinja2.utils import htmlsafe_json_dumps

    kept: list[str] = []
    shown: list[list[object]] = []
    size = total = 0
    for row in rows:
        total += 1
        if size <= MOST:
            values = [_plain(cell) for cell in row]
            text = str(htmlsafe_json_dumps(values, separators=(",", ":")))
            size += len(text)
            if size <= MOST:
                kept.append(text)
                shown.append(values)
    return Table(
        key=key,
        title=title,
        columns=tuple(columns),
        rows=tuple(kept),
        first=tuple(shown[:FIRST]),
        total=total,
        said=said,
        none=none,
        filters=tuple(_filter(shown, n, columns[n]) for n in filters),
    )


def cut(text: str, length: int = LONGEST) -> str:
    """Shorten a text, saying by how much."""
    more = len(text) - length
    return text if more <= 0 else f"{text[:length]} … ({more} more characters)"


def _plain(cell: Cell) -> object:
    """Return a cell as the template and the script read it."""
    if isinstance(cell, Place):
        line = f"{cell.path}:{cell.line}" if cell.path else f"line {cell.line}"
        found: dict[str, object] = {"t": cut(line if cell.line else cell.path)}
        quote = cell.quote()
        if quote is not None:
            first, lines = quote
            lines = [f"{n:5} {cut(text, WIDEST)}\n" for n, text in enumerate(lines, first)]
            at = cell.line - first
            found["q"] = ["".join(lines[:at]), lines[at], "".join(lines[at + 1 :])]
        return found
    if isinstance(cell, Mark):
        return {"t": cell.text, "k": cell.kind}
    if isinstance(cell, Plot):
        return {"t": cell.text, "i": cell.inside, "o": cell.outside}
    return cell if isinstance(cell, int) else cut(cell)


def _filter(rows: Sequence[Sequence[object]], column: int, name: str) -> Filter:
    """Count the values of a column, the most frequent first."""
    cells = (row[column] for row in rows)
    counts = Counter(str(cell["t"] if isinstance(cell, dict) else cell) for cell in cells)
    return Filter(column, name, tuple(counts.most_common(OPTIONS)), max(0, len(counts) - OPTIONS))
