"""Lines, columns and line endings of a file's bytes."""

from __future__ import annotations

from bisect import bisect_right


class Lines:
    """Maps byte offsets to lines and columns (both from 1, columns in bytes) and back."""

    def __init__(self, data: bytes) -> None:
        self.starts = [0]
        at = data.find(b"\n")
        while at != -1:
            self.starts.append(at + 1)
            at = data.find(b"\n", at + 1)

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Byte offset of a line from 1 and a column in bytes from 1."""
        return self.starts[line - 1] + column - 1


def newline(data: bytes) -> bytes:
    """The line ending a file uses: that of its first line."""
    at = data.find(b"\n")
    return b"\r\n" if at > 0 and data[at - 1 : at] == b"\r" else b"\n"
