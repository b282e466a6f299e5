"""Lists on a terminal: aligned, wrapped under their own column, cut after a number of rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from porter.model import UNIT, Diagnostic, Difference, Finding, Guess, Unused, place

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN = 12  # rows of a list before "and N more"

T = TypeVar("T")


def plain(text: str) -> str:
    """Text that is shown as it is, whatever brackets it has, on one line."""
    from rich.markup import escape

    return escape(" ".join(text.split()))


def dim(text: str) -> str:
    return f"[dim]{plain(text)}[/dim]" if text else ""


def heading(text: str, more: str = "") -> list[RenderableType]:
    """The line above a list, with an empty line before it."""
    return ["", f"[bold]{plain(text)}[/bold]" + (f" {plain(more)}" if more else "")]


def table(rows: Sequence[Sequence[str]], shown: int = SHOWN) -> list[RenderableType]:
    """Rows of markup in columns, indented; numbers in the first column to the right."""
    from rich.table import Table

    if not rows:
        return []
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column()  # empty: the indentation
    for index in range(len(rows[0])):
        numbers = all(row[index].isdigit() for row in rows)
        grid.add_column(justify="right" if numbers else "left", overflow="fold")
    for row in rows[:shown]:
        grid.add_row("", *row)
    out: list[RenderableType] = [grid]
    if len(rows) > shown:
        out.append(f"  [dim]and {len(rows) - shown} more: --json lists all[/dim]")
    return out


def titled_table(
    title: str, rows: Sequence[Sequence[str]], more: str | None = None, shown: int = SHOWN
) -> list[RenderableType]:
    """A table under its heading, beside which stands how many rows it has, or `more`; nothing
    where it has none."""
    said = f"({len(rows)})" if more is None else more
    return [*heading(title, said), *table(rows, shown)] if rows else []


def tally(items: Iterable[T], key: Callable[[T], Hashable]) -> list[tuple[int, T]]:
    """How many of the items have the same key, with the first of these; the most frequent first."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return sorted(((len(g), g[0]) for g in groups.values()), key=lambda row: -row[0])


def rule_rows(found: Iterable[Finding], fixes: bool = False) -> list[tuple[str, str]]:
    """A row for each rule: how often it found something, what, and where first; with `fixes` also
    whether it has an edit for that."""
    return [
        (
            str(number),
            f"{plain(one.message)}\n[dim]{plain(short(one.rule))}"
            f"{', has a fix' if fixes and one.edits else ''}, first at {where(one)}[/dim]",
        )
        for number, one in tally(found, lambda f: f.rule)
    ]


def where(item: Finding | Difference | Guess | Unused) -> str:
    path, line = place(item)
    return f"{plain(path)}:{line}"


def cell(text: str) -> str:
    """Text in a column of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def row(*columns: object) -> str:
    """A row of a Markdown table; None is an empty column."""
    return "|" + "".join(f" {column} |" if column is not None else " |" for column in columns)


def section(title: str, columns: Sequence[str], rows: Iterable[str]) -> str:
    """A Markdown table below its title; nothing without rows."""
    body = "\n".join(rows)
    return f"### {title}\n\n{row(*columns)}\n{'|---' * len(columns)}|\n{body}" if body else ""


def short(rule: str) -> str:
    """The name of a rule or piece, which `porter rules NAME` takes too."""
    return rule.rpartition("/")[2]


def together(path: str) -> str:
    """The folder of the vendored unit for each file in it; other paths as they are."""
    folder, inside, _ = path.partition(f"{UNIT}/")
    return f"{folder}{UNIT}/" if inside else path


def count(number: int, word: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def place_of(item: Diagnostic) -> str:
    """Where a message is about, a line of a source or a binary; else the tool that says it."""
    place = f"{item.path}:{item.line}" if item.line else item.path
    return place or item.tool
