"""The only printer: results to stdout, progress to stderr."""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console as RichConsole
    from rich.console import RenderableType
    from rich.status import Status

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


class Detail(IntEnum):
    """How much of the work is shown beside results and errors."""

    QUIET = 0
    STAGES = 1
    STEPS = 2


detail = Detail.STAGES  # as the user chose for this command


class Console:
    """Progress of stages on stderr, a moving line on a terminal, plain lines elsewhere."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = detail is Detail.QUIET or (quiet and detail is not Detail.STEPS)
        self._status: Status | None = None
        self._label = ""
        self._drawn = 0.0

    def _rich(self, stderr: bool) -> RichConsole:
        from rich.console import Console as RichConsole
        from rich.segment import Segment

        class Harmless(RichConsole):
            """Shows characters that would move the cursor or turn the text around as escapes."""

            def render(self, *arguments: Any, **named: Any) -> Iterable[Segment]:
                for part in super().render(*arguments, **named):
                    yield part if part.control else Segment(visible(part.text), part.style)

        console = Harmless(stderr=stderr, highlight=False)
        if not console.is_terminal:
            console.width = max(console.width, 120)
        return console

    @contextmanager
    def stage(self, label: str) -> Iterator[None]:
        """Show that a stage runs, then how many seconds it took."""
        if self.quiet:
            yield
            return
        console = self._rich(stderr=True)
        began = time.monotonic()
        self._label = label
        try:
            if console.is_terminal:
                with console.status(label) as self._status:
                    yield
            else:
                console.print(f"{label} ...", markup=False)
                yield
        except BaseException:
            console.print(f"[red]x[/red] {label} ({time.monotonic() - began:.1f} s)")
            raise
        finally:
            self._status = None
        console.print(f"[green]✓[/green] {label} ({time.monotonic() - began:.1f} s)")

    def line(self, text: str) -> None:
        """The newest line of long work; drawn at most ten times a second."""
        now = time.monotonic()
        if self._status is None or now - self._drawn < 0.1:
            return
        self._drawn = now
        from rich.markup import escape

        self._status.update(f"{self._label}  [dim]{escape(text.strip()[:100])}[/dim]")

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

    def error(self, message: str, hint: str = "", more: str = "") -> None:
        """What went wrong, what to do about it, where to read more."""
        console = self._rich(stderr=True)
        from rich.markup import escape

        console.print(f"[bold red]porter: {escape(message)}[/bold red]")
        if hint:
            console.print(f"  {escape(hint)}")
        if more:
            console.print(f"  {more}", style="dim", markup=False, soft_wrap=True)
