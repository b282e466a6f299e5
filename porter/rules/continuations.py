"""The backslashes that end the lines of a macro stay in their column when an edit moves them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from porter.model import Edit, Span


def aligned(data: bytes, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits, and what gives each line's closing backslash its column back.

    Only lines where more than one space stands before it: there it was put in a column. An edit
    over several lines, or of several, says nothing of columns: its lines are left alone.
    """
    growth: dict[int, int] = defaultdict(int)  # by the end of the line
    for edit in edits:
        end = data.find(b"\n", edit.span.end)
        if b"\n" not in data[edit.span.start : edit.span.end] + edit.text:
            length = edit.span.end - edit.span.start
            growth[len(data) if end < 0 else end] += len(edit.text) - length
    added = (_moved(data, end, by) for end, by in sorted(growth.items()))
    return (*edits, *(edit for edit in added if edit is not None))


def _moved(data: bytes, end: int, by: int) -> Edit | None:
    if by == 0 or not data[:end].rstrip(b"\r").endswith(b"\\"):
        return None
    last = len(data[:end].rstrip(b"\r")) - 1
    first = len(data[:last].rstrip(b" "))
    if last - first < 2:
        return None
    if by < 0:
        return Edit(Span(last, last), b" " * -by)
    return Edit(Span(max(first + 1, last - by), last), b"")
