"""Lists on a terminal: aligned, wrapped under their own column, cut after a number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from porter.model import UNIT, Diagnostic

if TYPE_CHECKING:
    from rich.console import RenderableType

SHOWN = 12  # rows of a list before "and N more"


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


def at(item: Diagnostic) -> str:
    """Where a message is about, a line of a source or a binary; else the tool that says it."""
    place = f"{item.path}:{item.line}" if item.line else item.path
    return place or item.tool
