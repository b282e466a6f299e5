"""Edits of a source, in bytes."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.languages.cpp import Unit
from porter.model import Edit, Span


@dataclass(slots=True)
class Editor:
    unit: Unit
    edits: list[Edit] = field(default_factory=list)

    def replace(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(Span(start, end), self.unit.encode(text)))

    def covers(self, at: int) -> bool:
        return any(edit.span.start <= at < edit.span.end for edit in self.edits)

    def drop(self, start: int, end: int) -> None:
        """Without the line, where nothing else is on it."""
        data = self.unit.data
        first = data.rfind(b"\n", 0, start) + 1
        last = data.find(b"\n", end)
        last = len(data) if last < 0 else last + 1
        if not data[first:start].strip() and not data[end:last].strip():
            start, end = first, last
        self.edits.append(Edit(Span(start, end), b""))
