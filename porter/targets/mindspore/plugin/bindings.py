"""What the bindings of a tree expose to Python, and where the functions of it are."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.ascend.cpp_pieces import pieces
from porter.ascend.file_pieces import Impl, Schema
from porter.targets.torch_npu.routes.syntax import Reader

BLOCKS = ("PYBIND11_MODULE", "TORCH_LIBRARY", "TORCH_LIBRARY_IMPL", "TORCH_LIBRARY_FRAGMENT")
_KEYS = ("", "CPU", "PrivateUse1", "CompositeExplicitAutograd")
_NONE = ("nullptr", "std::nullopt", "c10::nullopt", "py::none()", "pybind11::none()", "None")
_WORDS = {"true": "True", "false": "False", "True": "True", "False": "False"}
_NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[fFlLuU]*")
_STRING = re.compile(r"([\"'])[^\"'\\]*\1")


@dataclass(frozen=True, slots=True)
class Argument:
    """What a binding calls a parameter, and its default in Python, if it has one."""

    name: str
    default: str | None = None  # empty: one that is no literal


@dataclass(frozen=True, slots=True)
class Bound:
    """A name in Python, the function that it calls, and where the binding is; `arguments` are those
    that the binding names."""

    name: str
    function: str
    path: str
    line: int
    arguments: tuple[Argument, ...]

    def parameters(self, own: Sequence[str]) -> list[str]:
        """What a function in Python has for parameters of these names: `x`, `eps=1e-06`."""
        arguments = self._named(own)
        defaults = (
            arguments if self._is_in_order(arguments) else [Argument(a.name) for a in arguments]
        )
        return [f"{one.name}={one.default}" if one.default else one.name for one in defaults]

    def lacks_defaults(self, own: Sequence[str]) -> bool:
        """Whether those have not all of the defaults."""
        arguments = self._named(own)
        stated = [one.default for one in self.arguments if one.default is not None]
        kept = [one.default for one in arguments if one.default]
        return stated != kept or not self._is_in_order(arguments)

    def _named(self, own: Sequence[str]) -> list[Argument]:
        named = self.arguments if len(self.arguments) == len(own) else map(Argument, own)
        return [
            Argument(f"{one.name}_" if keyword.iskeyword(one.name) else one.name, one.default)
            for one in named
        ]

    @staticmethod
    def _is_in_order(arguments: Sequence[Argument]) -> bool:
        """Whether those with defaults are the last, as Python wants them."""
        last = [bool(one.default) for one in arguments]
        return last == sorted(last)


def find_bound(readers: Sequence[Reader], binding: Sequence[Reader]) -> dict[str, list[Bound]]:
    """What is bound to the functions of each file, by these files of bindings: of pybind11, and of
    TORCH_LIBRARY for a device whose code is C++."""
    homes: dict[str, set[str]] = {}
    for reader in readers:
        for function in reader.code.functions:
            homes.setdefault(function.name, set()).add(reader.unit.path)
    schemas = {
        schema.name: _arguments_of(schema.text)
        for reader in binding
        for schema in pieces(reader.unit).schemas
        if "->" in schema.text
    }
    found: dict[str, dict[str, Bound]] = {}
    for reader in binding:
        for one in _of_file(reader, homes, schemas):
            own = reader.unit.path if reader.unit.path in homes[one.function] else None
            path = own or min(homes[one.function])
            found.setdefault(path, {})[one.name] = one
    return {path: [*each.values()] for path, each in found.items()}


def _of_file(
    reader: Reader,
    homes: Mapping[str, set[str]],
    schemas: Mapping[str, tuple[Argument, ...]],
) -> Iterator[Bound]:
    """The bindings of one file whose function is in it, or in one other."""
    path = reader.unit.path
    found = pieces(reader.unit)
    impls = [impl for impl in found.impls if impl.key in _KEYS]
    each: list[Schema | Impl] = [*found.schemas, *impls]
    for one in each:
        own = {name for name in one.uses if path in homes.get(name, ())}
        others = {name for name in one.uses if len(homes.get(name, ())) == 1}
        arguments = schemas.get(one.name) or (*_pybind_arguments(reader, one.name),)
        for function in sorted(own or others):
            yield Bound(one.name, function, path, one.line, arguments)


def _arguments_of(schema: str) -> tuple[Argument, ...]:
    """Those of `f(Tensor(a!) x, *, float eps=1e-06) -> Tensor`."""
    given = schema.partition("(")[2].rpartition("->")[0].strip().removesuffix(")")
    parts, depth = [""], 0
    for letter in given:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    split = (part.partition("=") for part in parts if part.strip(" *"))
    return tuple(
        Argument(words.split()[-1], _literal(value) if equals else None)
        for words, equals, value in split
    )


def _pybind_arguments(reader: Reader, name: str) -> Iterator[Argument]:
    """Those of `m.def("f", &f, py::arg("x"), py::arg("eps") = 1e-6)`."""
    for at in reader.code.places("arg"):
        opening = reader.around[at]
        first = reader.code.arguments(opening)[:1] if reader.word(opening) == "(" else []
        if not first or reader.text(*first[0]) != f'"{name}"':
            continue
        close = reader.code.pairs[at + 1]
        own = reader.text(at + 2, close - 1).strip('"')
        given = [(a, b) for a, b in reader.code.arguments(opening) if a <= at <= b]
        value = reader.text(close + 2, given[0][1]) if reader.word(close + 1) == "=" else None
        yield Argument(own, None if value is None else _literal(value))


def _literal(written: str) -> str:
    """A default in C++ or a schema as Python has it; nothing for what is no literal."""
    text = written.strip()
    if text in _NONE:
        return "None"
    number = _NUMBER.fullmatch(text)
    if number is not None:
        return number[1]
    return _WORDS.get(text) or (text if _STRING.fullmatch(text) else "")


def find_binding_blocks(reader: Reader) -> Iterator[tuple[int, int]]:
    """(first, last) token of each block that binds."""
    for at in reader.code.places(*BLOCKS):
        brace = reader.code.pairs.get(at + 1, at) + 1
        yield at, reader.code.pairs.get(brace, brace)
