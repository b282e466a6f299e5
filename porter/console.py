"""The only printer: results to stdout, progress to stderr."""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from porter.progress import Expect, Pace, describe_seconds

if TYPE_CHECKING:
    from rich.console import Console as RichConsole
    from rich.console import RenderableType
    from rich.progress import Progress, TaskID

    from porter.stages.doctor import Check


def visible(text: str) -> str:
    """A text with escapes for control, bidirectional and other characters that have no shape."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs")
        else ascii(character)[1:-1]
        for character in text
    )


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


class Detail(IntEnum):
    """How much of the work is shown beside results and errors."""

    QUIET = 0
    STAGES = 1
    STEPS = 2


detail = Detail.STAGES  # as the user chose for this command
pace: Pace | None = None  # of this command, where somebody asks where its time goes
_shown: list[RichConsole] = []  # the one that draws a moving line, while it does


class Console:
    """Progress of stages on stderr: one moving line on a terminal, a line a stage elsewhere."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = detail is Detail.QUIET or quiet
        self.pace = pace or Pace()
        self._labels: list[str] = []
        self._live: tuple[Progress, TaskID] | None = None
        self._newest = ""
        self._drawn = 0.0

    def _rich(self, stderr: bool) -> RichConsole:
        from rich.console import Console as RichConsole
        from rich.segment import Segment

        class Harmless(RichConsole):
            """Shows characters that would move the cursor or turn the text around as escapes."""

            def render(self, *arguments: Any, **named: Any) -> Iterable[Segment]:
                for part in super().render(*arguments, **named):
                    yield part if part.control else Segment(visible(part.text), part.style)

        if stderr and _shown:  # what is printed goes above the moving line
            return _shown[-1]
        console = Harmless(stderr=stderr, highlight=False)
        if not console.is_terminal:
            console.width = max(console.width, 120)
        return console

    def plan(self, *stages: str) -> None:
        """Say which stages the command has."""
        self.pace.plan = stages

    def enter(self, stage: str) -> None:
        """Say which of the stages begins."""
        self.pace.enter(stage)

    def expect(self, expected: Expect) -> None:
        """Say who knows how long stages take."""
        self.pace.expect(expected)

    @contextmanager
    def stage(self, label: str) -> Iterator[None]:
        """Show that a step of a stage runs, then how many seconds it took."""
        if self.quiet:
            yield
            return
        began = time.monotonic()
        self._labels.append(label)
        self._newest = ""
        self.pace.begin_step()
        opened = self._open()
        mark = "[red]x[/red]"
        try:
            yield
            mark = "[green]✓[/green]"
        finally:
            self._labels.pop()
            if opened:
                self._close()
            self._newest = ""
            self._draw()
            where = f"{self.pace.position} " if self.pace.position else ""
            seconds = time.monotonic() - began
            self._rich(stderr=True).print(f"{mark} {where}{_escape(label)} ({seconds:.1f} s)")

    def _open(self) -> bool:
        """Begin to draw, where there is a terminal and nothing is drawn yet."""
        console = self._rich(stderr=True)
        if self._live is not None or _shown or not console.is_terminal or console.is_dumb_terminal:
            self._draw()
            return False
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.table import Column

        one_line = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", table_column=one_line),
            TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7)),
            TextColumn("{task.fields[left]}", table_column=Column(no_wrap=True, min_width=16)),
        )
        live = Progress(*columns, console=console, transient=True, expand=True)
        self._live = live, live.add_task("", total=None, left="")
        _shown.append(console)
        self._draw()
        live.start()
        return True

    def _close(self) -> None:
        if self._live is not None:
            self._live[0].stop()
            self._live = None
            _shown.pop()

    def _draw(self) -> None:
        if self._live is None or not self._labels:
            return
        live, task = self._live
        where = f"[bold]{self.pace.position}[/bold] " if self.pace.position else ""
        share = f" {self.pace.share:.0%}" if self.pace.share is not None else ""
        newest = f"  [dim]{_escape(self._newest)}[/dim]" if self._newest else ""
        left = self.pace.left()
        live.update(
            task,
            description=f"{where}{_escape(self._labels[-1])}{share}{newest}",
            left="" if left is None else f"[dim]~{describe_seconds(left)} left[/dim]",
        )

    def line(self, text: str) -> None:
        """The newest line of long work: the unit or test at work, drawn at most ten times a
        second; with --verbose each line stays."""
        if self.quiet:
            return
        self.pace.take(text)
        if detail is Detail.STEPS:
            self._rich(stderr=True).print(f"  {text.rstrip()}", style="dim", markup=False)
        now = time.monotonic()
        if self._live is None or now - self._drawn < 0.1:
            return
        self._drawn, self._newest = now, text.strip()[:200]
        self._draw()

    def note(self, text: str) -> None:
        """A sentence for the user that is not part of the result."""
        if not self.quiet:
            self._rich(stderr=True).print(text, markup=False)

    def show(self, *parts: RenderableType) -> None:
        """The result, for people."""
        console = self._rich(stderr=False)
        for part in parts:
            console.print(part)

    def write(self, text: str) -> None:
        """The result, as it is: JSON, Markdown, a diff."""
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()

    def raw(self, data: bytes) -> None:
        """The result, byte for byte."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def checks(self, checks: Iterable[Check]) -> None:
        """What was found on the machine, with remedies."""
        from rich.markup import escape

        from porter.model import Status

        console = self._rich(stderr=False)
        marks = {
            Status.OK: "[green]ok[/green]     ",
            Status.FAILED: "[red]missing[/red]",
            Status.SKIPPED: "[yellow]absent[/yellow] ",
        }
        for check in checks:
            mark = marks.get(check.status, str(check.status))
            console.print(f"{mark} {escape(check.name)}: {escape(check.detail)}")
            if check.remedy:
                console.print(f"        {escape(check.remedy)}")

    def show_timing(self) -> None:
        """Where the time went, on stderr, also with --quiet: somebody asked for it."""
        from rich.table import Table

        table = Table("stage", "processes", "", "seconds", box=None, pad_edge=False)
        for stage, kind, number, seconds in self.pace.rows():
            named = "" if kind else stage or "begin"
            table.add_row(named, kind, str(number or ""), f"{seconds:.1f}", style=kind and "dim")
        self._rich(stderr=True).print(table)

    def error(self, message: str, hint: str = "", more: str = "") -> None:
        """What went wrong, what to do about it, where to read more."""
        console = self._rich(stderr=True)
        from rich.markup import escape

        console.print(f"[bold red]porter: {escape(message)}[/bold red]")
        if hint:
            console.print(f"  {escape(hint)}")
        if more:
            console.print(f"  {more}", style="dim", markup=False, soft_wrap=True)
