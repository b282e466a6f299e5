"""A file's bytes by lines, and the one error of all readers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import accumulate
from operator import add

from porter.model import Span

_IGNORE = re.compile(r"(?<![\w`-])porter:\s*ignore\b(?:\[([^\]\n]*)\])?")


_APART = bytes(code if chr(code).isidentifier() or 48 <= code < 58 else 32 for code in range(128))
_APART += b" " * 128  # what is no letter, digit or underscore of ASCII, as a space


class Unreadable(Exception):
    """The file is not what its reader can parse; the text says where."""


@dataclass
class Text:
    """The bytes of one file. `path` is posix from the repository root."""

    data: bytes
    path: str
    # Lines whose comments have suppressed something, each with the rule.
    suppressed: set[tuple[int, str]] = field(default_factory=set, init=False, repr=False)

    def comments(self) -> Iterator[Span]:
        """Yield where comments are; what lies between them is white space."""
        return iter(())

    @cached_property
    def ignores_by_line(self) -> dict[int, set[str]]:
        """Lines with a comment `porter: ignore[rule, ...]`; an empty set means every rule."""
        out: dict[int, set[str]] = {}
        for span in self.comments() if may_ignore(self.data) else ():
            lines = self.data[span.start : span.end].decode("utf-8", "replace").split("\n")
            for line, text in enumerate(lines, self.position(span.start)[0]):
                rules = read_ignore(text)
                if rules is not None:
                    out[line] = rules
        return out

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


class Words:
    """Bytes of a file in which many short texts are looked for: by the file's distinct words, a
    seventh of its bytes, and in the file itself where the longest word of a text is there."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._words = b" ".join({*data.translate(_APART).split()})

    def __contains__(self, text: bytes) -> bool:
        word = _longest_word(text)
        return word in self._words and (word == text or text in self._data)


@cache
def _longest_word(text: bytes) -> bytes:
    return max(text.translate(_APART).split(), key=len, default=b"")


def line_starts(data: bytes) -> list[int]:
    ends = accumulate(map(len, data.split(b"\n")))
    return [0, *map(add, ends, range(1, data.count(b"\n") + 1))]


def line_of(data: bytes, offset: int) -> int:
    """The line, from 1, of an offset."""
    return data.count(b"\n", 0, offset) + 1


def newline(data: bytes) -> bytes:
    """The line ending a file uses: that of its first line."""
    at = data.find(b"\n")
    return b"\r\n" if at > 0 and data[at - 1 : at] == b"\r" else b"\n"


def may_ignore(data: bytes) -> bool:
    """Whether a file may have comments that suppress findings."""
    return b"porter:" in data and b"ignore" in data


def read_ignore(comment: str) -> set[str] | None:
    """Return the rules that a line of a comment suppresses, none for all; None where it is no
    such comment."""
    match = _IGNORE.search(comment)
    if match is None:
        return None
    return {rule.strip() for rule in (match[1] or "").split(",") if rule.strip()}
