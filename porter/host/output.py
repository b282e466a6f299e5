"""The output of a step: its log, its last lines, and the first that has a mark of failure."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

TAIL_LINES = 60
OnLine = Callable[[str], None]  # told of each line of output, or of progress


def fresh(path: Path) -> Path:
    """A path at which nothing is: an earlier step may have put a link there."""
    path.unlink(missing_ok=True)
    return path


@dataclass(slots=True)
class Output:
    """What a step writes, kept in its log, with the first line that has a mark of failure."""

    file: BinaryIO
    on_line: OnLine
    marks: list[re.Pattern[str]]
    marked: str | None = None
    tail: deque[str] = field(default_factory=lambda: deque(maxlen=TAIL_LINES))

    def take(self, raw: bytes) -> str:
        self.file.write(raw)
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        self.tail.append(line)
        self.on_line(line)
        return line

    def take_of_step(self, raw: bytes) -> None:
        line = self.take(raw)
        if self.marked is None and any(pattern.search(line) for pattern in self.marks):
            self.marked = line

    def keep(self, log: Path) -> None:
        """Have the log where it is looked for, whatever the step put there."""
        with contextlib.suppress(OSError):
            if os.path.samestat(log.lstat(), os.fstat(self.file.fileno())):
                return
        if not log.parent.is_dir():
            fresh(log.parent).mkdir()
        if log.is_dir():
            shutil.rmtree(log)
        self.file.seek(0)
        with fresh(log).open("xb") as again:
            shutil.copyfileobj(self.file, again)
