"""What of torch a wheel or a library needs, and what of that is there."""

from __future__ import annotations

import dataclasses
import functools
import lzma
import re
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from . import elf

_TORCH = re.compile(r"lib(torch|c10)(_\w+)?\.so")
_LIBRARY = re.compile(r"\.so(\.\d+)*$")
_STABLE = re.compile(r"(aoti_torch|aoti|torch)_\w+")
LARGEST = 4 << 30  # bytes of a wheel's libraries together; torch's own have less
# What a damaged archive, or one of a form that Python does not read, ends with.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, EOFError, struct.error)
_CSRC = Path(__file__).parent / "csrc"


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """What a wheel or a library needs of torch: symbols that are there, and that are not."""

    libraries: tuple[str, ...]
    there: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether something was found that is linked with torch, and nothing is missing."""
        return bool(self.libraries) and not self.missing

    def __str__(self) -> str:
        if not self.libraries:
            return "nothing in it is linked with torch"
        lines = [
            f"{len(self.libraries)} libraries need {len(self.there) + len(self.missing)} symbols of"
            f" torch, {len(self.missing)} of which are missing"
        ]
        return "\n".join([*lines, *(f"  {name}" for name in self.missing)])


@functools.cache
def exported() -> frozenset[str]:
    """The functions that the shim has, by its sources: nothing needs to be compiled for that."""
    found: set[str] = set()
    for path in _CSRC.glob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        found |= {*re.findall(r"^EXPORT [\w:* ]+?[ *](\w+)\(", text, re.M)}
        found |= {*re.findall(r"^(?:CONSTANT|GETTER)\((\w+),", text, re.M)}
        found |= {f"aoti_torch_item_{name}" for name in re.findall(r"^ITEM\((\w+),", text, re.M)}
        found |= {*re.findall(r"\basm\(\"(\w+)\"\)", text)}
        names = re.findall(r"^TENSOR_OF\((\w+),", text, re.M)
        found |= {f"aoti_torch_scalar_to_tensor_{name}" for name in names}
    return frozenset(found)


def _libraries(path: Path) -> Iterator[tuple[str, elf.Library]]:
    """The libraries in a wheel, in a folder, or the one that a file is."""
    if path.is_dir():
        for each in sorted(path.rglob("*.so*")):
            if each.is_file():
                yield from ((str(each.relative_to(path)), found) for _, found in _libraries(each))
    elif zipfile.is_zipfile(path):
        try:
            yield from _packed(path)
        except _UNREADABLE as error:
            raise ValueError(f"{path.name} cannot be unpacked: {error}") from error
    else:
        yield path.name, elf.read(path)


def _packed(path: Path) -> Iterator[tuple[str, elf.Library]]:
    with zipfile.ZipFile(path) as wheel, tempfile.TemporaryDirectory() as folder:
        found = {e.filename: e for e in wheel.infolist() if _LIBRARY.search(e.filename)}
        if (size := sum(entry.file_size for entry in found.values())) > LARGEST:
            raise ValueError(f"the libraries in {path.name} have {size} bytes")
        for name, entry in sorted(found.items()):
            one = Path(folder, "one.so")
            with wheel.open(entry) as packed, one.open("wb") as file:
                shutil.copyfileobj(packed, file)
            yield name, elf.read(one)


def is_torch(library: str) -> bool:
    """Whether a library of this name is one of torch's."""
    return _TORCH.fullmatch(library) is not None


def check(path: str | Path) -> Report:
    """Which symbols of torch the libraries of a wheel (or a library, or a folder of some) need.

    What no library of the wheel itself gives, and no library but torch's would, counts as torch's.
    """
    found = dict(_libraries(Path(path)))
    linked = {name: each for name, each in found.items() if any(map(is_torch, each.needed))}
    own = {symbol.name for each in found.values() for symbol in each.given}
    wanted: set[str] = set()
    for each in linked.values():
        wanted |= {symbol.name for symbol in each.wanted if _of_torch(symbol)}
    wanted -= own
    there = wanted & exported()
    return Report(tuple(linked), tuple(sorted(there)), tuple(sorted(wanted - there)))


def _of_torch(symbol: elf.Symbol) -> bool:
    """Whether a symbol is of torch's libraries: of the C ABI, or in a namespace of its C++."""
    if symbol.version:
        return False
    return bool(_STABLE.fullmatch(symbol.name)) or bool(
        re.match(r"_Z(N?K?|T[VTISWH])*N?K?(2at|3c10|5torch|5caffe)", symbol.name)
    )
