"""Read what a shared library or an object file needs and defines."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import Section

_NEEDED, _RPATH, _RUNPATH = 1, 15, 29  # DT_* of <elf.h>
_WEAK = 2  # STB_WEAK
_BOUND = frozenset({1, _WEAK, 10})  # STB_GLOBAL, STB_GNU_UNIQUE
_UNDEFINED = 0  # SHN_UNDEF
# pyelftools' own iterators take 40 us a symbol, and a framework's library has 180,000 of them.
_SYMBOL = {32: "I8xBxH", 64: "IBxH16x"}  # name, binding and type, section
_TAG = {32: "iI", 64: "qQ"}
_LARGEST = 1 << 30  # bytes of a table
_MOST = 1 << 17  # sections
_LONGEST = 1 << 16  # bytes of a name


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A shared library, or the objects of one: what it needs, where to look for it, its symbols."""

    path: Path
    needed: tuple[str, ...]
    folders: tuple[Path, ...]
    undefined: tuple[str, ...]  # weak ones may stay so
    defined: frozenset[str]

    def find(self, name: str) -> str:
        """The path of a needed library where its own folders have it, else its name."""
        found = (folder / name for folder in self.folders)
        return next((str(path) for path in found if path.is_file()), name)


def read(path: Path) -> Library | None:
    """Read a library or an object file; None where it is neither, or cannot be read."""
    try:
        with path.open("rb") as file:
            return parse(file, path)
    except (OSError, ValueError):
        return None


def parse(file: IO[bytes], path: Path) -> Library:
    """Parse an ELF file. Raises ValueError where it is none, or is damaged."""
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile

    try:
        elf = ELFFile(file)
        symbols = list(_symbols(elf))
        tags = list(_tags(elf))
    except (ELFError, struct.error, ArithmeticError, LookupError, TypeError) as error:
        raise ValueError(f"{path}: not a readable ELF file: {error}") from error
    folders = (value for tag, value in tags if tag in (_RPATH, _RUNPATH))
    return Library(
        path=path,
        needed=tuple(value for tag, value in tags if tag == _NEEDED),
        folders=tuple(
            _expand_path(folder, path) for value in folders for folder in value.split(":") if folder
        ),
        undefined=tuple(n for n, binding, there in symbols if not there and binding != _WEAK),
        defined=frozenset(n for n, _, there in symbols if there),
    )


def _symbols(elf: ELFFile) -> Iterator[tuple[str, int, bool]]:
    """Name, binding, and whether it is defined here, of each symbol that others can see."""
    kind = "SHT_SYMTAB" if elf["e_type"] == "ET_REL" else "SHT_DYNSYM"
    for table, names in _tables(elf, kind):
        for name, info, section in _unpack_rows(elf, _SYMBOL, table):
            if info >> 4 in _BOUND:
                plain = _string(names, name).partition("@")[0]  # without a version
                yield plain, info >> 4, section != _UNDEFINED


def _tags(elf: ELFFile) -> Iterator[tuple[int, str]]:
    """The entries of the dynamic section that stand for a string."""
    for table, names in _tables(elf, "SHT_DYNAMIC"):
        for tag, value in _unpack_rows(elf, _TAG, table):
            if tag in (_NEEDED, _RPATH, _RUNPATH):
                yield tag, _string(names, value)


def _tables(elf: ELFFile, kind: str) -> Iterator[tuple[bytes, bytes]]:
    """The content of each section of a kind, and that of its string table."""
    from elftools.common.exceptions import ELFError

    for number in range(min(elf.num_sections(), _MOST)):
        with contextlib.suppress(ELFError):  # a section of another kind
            section = elf.get_section(number, (kind,))
            names = elf.get_section(section["sh_link"], ("SHT_STRTAB",))
            yield _content(section), _content(names)


def _content(section: Section) -> bytes:
    section.stream.seek(section["sh_offset"])
    return section.stream.read(min(section["sh_size"], _LARGEST))


def _unpack_rows(elf: ELFFile, rows: dict[int, str], table: bytes) -> Iterator[tuple[int, ...]]:
    row = struct.Struct(("<" if elf.little_endian else ">") + rows[elf.elfclass])
    return row.iter_unpack(table)


def _string(names: bytes, at: int) -> str:
    return names[at : names.index(b"\0", at, at + _LONGEST)].decode("utf-8", "replace")


def together(objects: Sequence[Library]) -> Library:
    """What the library of these objects will ask for."""
    defined = frozenset[str]().union(*(one.defined for one in objects))
    asked = dict.fromkeys(name for one in objects for name in one.undefined)
    return Library(
        path=objects[0].path,
        needed=(),
        folders=(),
        undefined=tuple(name for name in asked if name not in defined),
        defined=defined,
    )


def _expand_path(folder: str, path: Path) -> Path:
    own = str(path.resolve().parent)
    return Path(folder.replace("${ORIGIN}", own).replace("$ORIGIN", own))
