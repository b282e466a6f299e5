"""What a shared library needs and gives, read from its file: nothing of it is run."""

from __future__ import annotations

import dataclasses
import struct
from pathlib import Path

_DYNAMIC, _DYNSYM, _VERNEED = 6, 11, 0x6FFFFFFE
_VERSYM = 0x6FFFFFFF
_NEEDED, _SONAME = 1, 14
_HEADER, _ENTRY = 64, 16  # bytes of a section's header, and of an entry of the table of versions
_LONGEST = 1 << 16  # bytes of a name


class NotAnElfFile(ValueError):
    """The file is no shared library that this module can read."""


@dataclasses.dataclass(frozen=True, slots=True)
class Symbol:
    """A name that a library wants from others, of a version if the linker noted one, or gives."""

    name: str
    version: str = ""
    function: bool = True


@dataclasses.dataclass(frozen=True, slots=True)
class Library:
    """A shared library: who it is, which others it needs, and its symbols."""

    soname: str
    needed: tuple[str, ...]
    wanted: tuple[Symbol, ...]
    given: tuple[Symbol, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    offset: int
    size: int
    link: int
    count: int


def _text(table: bytes, start: int) -> str:
    return table[start : table.index(b"\0", start, start + _LONGEST)].decode("utf-8", "replace")


def _sections(data: bytes) -> list[_Section]:
    if data[:4] != b"\x7fELF" or data[4:6] != b"\x02\x01":
        raise NotAnElfFile("this is no 64-bit little-endian ELF file")
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    if size != _HEADER:
        raise NotAnElfFile(f"headers of sections have {_HEADER} bytes, and not {size}")
    found = []
    for i in range(count):
        _, kind, _, _, offset, length, link, info = struct.unpack_from(
            "<IIQQQQII", data, start + i * size
        )
        found.append(_Section(kind, offset, length, link, info))
    return found


def _content(data: bytes, section: _Section) -> bytes:
    return data[section.offset : section.offset + section.size]


def _first(sections: list[_Section], kind: int) -> _Section | None:
    """The section of a kind that libraries have one of, if there is one."""
    return next((section for section in sections if section.kind == kind), None)


def _versions(data: bytes, sections: list[_Section]) -> dict[int, str]:
    """The names of the versions that a library wants, by their number in its table of symbols."""
    section = _first(sections, _VERNEED)
    if section is None:
        return {}
    content, names = _content(data, section), _content(data, sections[section.link])
    found, at, left = {}, 0, len(content) // _ENTRY
    for _ in range(section.count):
        _, count, _, first, following = struct.unpack_from("<HHIII", content, at)
        one, left = at + first, left - 1 - count
        if left < 0:
            raise NotAnElfFile("its table of versions has more entries than there is room for")
        for _ in range(count):
            _, _, number, name, after = struct.unpack_from("<IHHII", content, one)
            found[number & 0x7FFF] = _text(names, name)
            one += after
        if not following:
            break
        at += following
    return found


def read(path: str | Path) -> Library:
    """Read a library; NotAnElfFile if it is none."""
    data = Path(path).read_bytes()
    try:
        return _read(data)
    except (struct.error, IndexError, OverflowError, ValueError) as error:
        raise NotAnElfFile(f"{path}: {error}") from error


def _read(data: bytes) -> Library:
    sections = _sections(data)
    soname, needed = "", []
    dynamic = _first(sections, _DYNAMIC)
    if dynamic is not None:
        names = _content(data, sections[dynamic.link])
        for tag, value in struct.iter_unpack("<QQ", _content(data, dynamic)):
            if tag == _NEEDED:
                needed.append(_text(names, value))
            elif tag == _SONAME:
                soname = _text(names, value)
    wanted, given = _symbols(data, sections)
    return Library(soname, tuple(needed), tuple(wanted), tuple(given))


def _symbols(data: bytes, sections: list[_Section]) -> tuple[list[Symbol], list[Symbol]]:
    """What a library wants, and what it gives."""
    wanted: list[Symbol] = []
    given: list[Symbol] = []
    table, marked = _first(sections, _DYNSYM), _first(sections, _VERSYM)
    if table is None:
        return wanted, given
    versions, names = _versions(data, sections), _content(data, sections[table.link])
    marks = b"" if marked is None else _content(data, marked)
    for i, entry in enumerate(struct.iter_unpack("<IBBHQQ", _content(data, table))):
        name, info, _, index, _, _ = entry
        if not name or info >> 4 not in (1, 2):
            continue  # local symbols are of nobody else's interest
        number = struct.unpack_from("<H", marks, 2 * i)[0] & 0x7FFF if marks else 0
        version = versions.get(number, "") if index == 0 else ""
        symbol = Symbol(_text(names, name), version, function=info & 15 != 1)
        if index:
            given.append(symbol)
        elif info >> 4 == 1:  # what is weak need not be there
            wanted.append(symbol)
    return wanted, given
