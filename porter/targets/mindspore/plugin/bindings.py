"""What the bindings of a tree expose to Python, and where the functions of it are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.ascend.cpp_pieces import pieces
from porter.ascend.file_pieces import FilePieces, Impl, Schema
from porter.targets.torch_npu.routes.syntax import Reader

BLOCKS = ("PYBIND11_MODULE", "TORCH_LIBRARY", "TORCH_LIBRARY_IMPL", "TORCH_LIBRARY_FRAGMENT")
_KEYS = ("", "CPU", "PrivateUse1", "CompositeExplicitAutograd")


@dataclass(frozen=True, slots=True)
class Bound:
    """A name in Python, the function that it calls, and where the binding is."""

    name: str
    function: str
    path: str
    line: int
    has_defaults: bool


def find_bound(readers: Sequence[Reader], binding: Iterable[Reader]) -> dict[str, list[Bound]]:
    """What is bound to the functions of each file, by these files of bindings: of pybind11, and of
    TORCH_LIBRARY for a device whose code is C++."""
    homes: dict[str, set[str]] = {}
    for reader in readers:
        for function in reader.code.functions:
            homes.setdefault(function.name, set()).add(reader.unit.path)
    found: dict[str, dict[str, Bound]] = {}
    for reader in binding:
        for one in _of_file(reader, homes):
            own = reader.unit.path if reader.unit.path in homes[one.function] else None
            path = own or min(homes[one.function])
            found.setdefault(path, {})[one.name] = one
    return {path: [*each.values()] for path, each in found.items()}


def _of_file(reader: Reader, homes: Mapping[str, set[str]]) -> Iterator[Bound]:
    """The bindings of one file whose function is in it, or in one other."""
    path = reader.unit.path
    found = pieces(reader.unit)
    defaults = _with_defaults(found)
    each: list[Schema | Impl] = [schema for schema in found.schemas if schema.key]
    each += [impl for impl in found.impls if impl.key in _KEYS]
    for one in each:
        own = {name for name in one.uses if path in homes.get(name, ())}
        others = {name for name in one.uses if len(homes.get(name, ())) == 1}
        for function in sorted(own or others):
            yield Bound(one.name, function, path, one.line, one.name in defaults)


def _with_defaults(found: FilePieces) -> set[str]:
    return {
        schema.name
        for schema in found.schemas
        if "=" in schema.text or any(name.endswith("=") for name in schema.arguments)
    }


def find_binding_blocks(reader: Reader) -> Iterator[tuple[int, int]]:
    """(first, last) token of each block that binds."""
    for at in reader.code.places(*BLOCKS):
        brace = reader.code.pairs.get(at + 1, at) + 1
        yield at, reader.code.pairs.get(brace, brace)
