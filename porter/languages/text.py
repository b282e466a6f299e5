"""A file's bytes by lines, and the one error of all readers."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property


class Unreadable(Exception):
    """The file is not what its reader can parse; the text says where."""


@dataclass
class Text:
    """The bytes of one file. `path` is posix from the repository root."""

    data: bytes
    path: str

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return line_starts(self.data)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1, bytes) of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def encode(self, text: str) -> bytes:
        """Text with `\\n` to bytes with this file's line ending."""
        return text.encode().replace(b"\n", newline(self.data))


def line_starts(data: bytes) -> list[int]:
    starts = [0]
    at = data.find(b"\n")
    while at != -1:
        starts.append(at + 1)
        at = data.find(b"\n", at + 1)
    return starts


def line_of(data: bytes, offset: int) -> int:
    """The line, from 1, of an offset."""
    return data.count(b"\n", 0, offset) + 1


def newline(data: bytes) -> bytes:
    """The line ending a file uses: that of its first line."""
    at = data.find(b"\n")
    return b"\r\n" if at > 0 and data[at - 1 : at] == b"\r" else b"\n"
