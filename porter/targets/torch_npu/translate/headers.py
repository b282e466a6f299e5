"""A CUDA source with the headers of its repository that have code for the device in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from porter.languages.cpp import Kind, parse

_DEVICE = re.compile(
    rb"__(?:global|device|shared)__|\bcuda_runtime|\bcuda_fp16|\b(?:c10|ATen)/cuda/|\bcudaStream_t"
)
_ONCE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+once[ \t]*\r?\n", re.MULTILINE)
# Where build scripts have their headers.
_FOLDERS = ("", "include", "csrc", "src", "csrc/include", "src/include", "cuda")

Near = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the text, and where it is from."""

    start: int
    end: int
    path: str
    first: int  # where it begins in that file


@dataclass(frozen=True, slots=True)
class Merged:
    data: bytes
    parts: tuple[Part, ...]

    def place(self, offset: int) -> tuple[str, int]:
        """File and offset of a byte of the text."""
        for part in self.parts:
            if part.start <= offset < part.end:
                return part.path, part.first + offset - part.start
        last = self.parts[-1]
        return last.path, last.first + last.end - last.start


def merge_headers(path: str, data: bytes, near: Near) -> Merged:
    """The source with such headers in the place of their #include, each once."""
    out, parts, at = bytearray(), list[Part](), 0
    for piece, file, first in _pieces(path, data, near, {path}):
        out += piece
        parts.append(Part(at, at + len(piece), file, first))
        at += len(piece)
    return Merged(bytes(out), tuple(parts))


def _pieces(path: str, data: bytes, near: Near, seen: set[str]) -> Iterator[tuple[bytes, str, int]]:
    at = 0
    for name, start, end in _includes(data):
        found = header(path, name, near)
        if found is None or not _DEVICE.search(found[1]):
            continue
        yield data[at:start], path, at
        at = end
        if found[0] not in seen:
            seen.add(found[0])
            inner = _ONCE.sub(lambda m: b" " * (len(m[0]) - 1) + b"\n", found[1])
            yield from _pieces(found[0], inner.rstrip(), near, seen)
    yield data[at:], path, at


@lru_cache(maxsize=256)
def _includes(data: bytes) -> tuple[tuple[str, int, int], ...]:
    """The headers that a file names in quotes, and where; many sources have the same headers."""
    unit = parse(data, "")
    return tuple(
        (token.text[1:-1], unit.tokens[number - 1].start, token.end)
        for number, token in enumerate(unit.tokens)
        if token.kind is Kind.HEADER and token.text.startswith('"')
    )


def header(path: str, name: str, near: Near) -> tuple[str, bytes] | None:
    """A header of the repository, as a source of it names it."""
    folder = posixpath.dirname(path)
    while True:
        for inner in _FOLDERS:
            place = posixpath.normpath(posixpath.join(folder, inner, name))
            if not place.startswith("..") and (data := near(place)) is not None:
                return place, data
        if not folder:
            return None
        folder = posixpath.dirname(folder)
