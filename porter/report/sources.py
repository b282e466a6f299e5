"""The files of a run that reports quote: its trees and its diff."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.run.record import RunRecord
from porter.run.store import Run

LARGEST = 2_000_000  # bytes of a file that is quoted
AROUND = 3  # lines of a source before and after the one that is quoted


@dataclass(frozen=True, slots=True)
class Sources:
    """The project's trees in a run's folder, which may be gone; nothing outside of them is read."""

    run: Run
    record: RunRecord
    _lines: dict[tuple[str, bool], list[str]] = field(default_factory=dict)  # of what was quoted

    def whole(self, path: str) -> str:
        """Return a path of the project from the repository's root."""
        subdir = self.record.source.subdir
        return f"{subdir}/{path}" if subdir else path

    def read(self, path: str, patched: bool = False) -> bytes | None:
        """Return a file, named from the root; None where it is not there, or leads out."""
        tree = self.run.tree if patched else self.run.base
        file = tree / path
        try:
            inside = file.resolve().is_relative_to(tree.resolve())
            if not inside or not file.is_file() or file.stat().st_size > LARGEST:
                return None
            return file.read_bytes()
        except (OSError, ValueError):
            return None

    def quote(self, path: str, line: int, patched: bool = False) -> tuple[int, list[str]] | None:
        """Return the lines around one, with the number of the first."""
        lines = self._lines.get((path, patched))
        if lines is None:
            data = self.read(path, patched)
            lines = [] if data is None else data.decode(errors="replace").split("\n")
            self._lines[path, patched] = lines
        if not 0 < line <= len(lines):
            return None
        first = max(1, line - AROUND)
        return first, lines[first - 1 : line + AROUND]

    def diff(self) -> str:
        """Return the whole patch; empty where there is none."""
        try:
            return (self.run.patch / "port.patch").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
