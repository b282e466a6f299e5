"""Tiling data that the host's sources define, as the structures that kernels read.

CANN's build generates them for the kernels from the same definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from porter.ascend.tree import snake
from porter.languages.cpp import Code, parse

_BEGIN, _END = "BEGIN_TILING_DATA_DEF", "END_TILING_DATA_DEF"
_REGISTER = "REGISTER_TILING_DATA_CLASS"
_FIELDS = ("TILING_DATA_FIELD_DEF", "TILING_DATA_FIELD_DEF_ARR", "TILING_DATA_FIELD_DEF_STRUCT")
_OWN = re.compile(rb"\bstruct\s+(\w+)\s*\{")
_NUMBER = re.compile(rb"\b(\w+)\s*=\s*(\d+)[uUlL]*\s*;|#\s*define\s+(\w+)\s+(\d+)[uUlL]*\s*$", re.M)


def structures(kernel: str, host: Iterable[Path], own: Iterable[Path]) -> str:
    """C++ with a structure for each definition in `host` that the `own` sources of a kernel have
    not themselves, and `EmulatedTilingData`, which GET_TILING_DATA means: what is registered for
    the kernel's operator, or for any where that is one class. Raises OSError."""
    known = structures_of(own)
    found: dict[str, list[str]] = {}
    registered: dict[str, str] = {}
    fields: list[str] = []
    for path in host:
        data = path.read_bytes()
        numbers = {(a or c).decode(): (b or d).decode() for a, b, c, d in _NUMBER.findall(data)}
        for macro, *given in _statements(parse(data, path.name).code):
            if macro == _BEGIN:
                fields = found.setdefault(given[0], [])
            elif macro == _REGISTER:
                registered.setdefault(snake(given[0]), given[1])
            elif macro != _END:
                *kind, name = given
                size = kind.pop() if macro.endswith("_ARR") else ""
                fields.append(f"{kind[0]} {name}{f'[{numbers.get(size, size)}]' if size else ''};")
    classes = {*registered.values()}
    chosen = registered.get(kernel) or (classes.pop() if len(classes) == 1 else None)
    lines = [f"struct {n} {{ {' '.join(f)} }};" for n, f in found.items() if n not in known]
    if chosen in found and chosen not in known:
        lines.append(f"using EmulatedTilingData = {chosen};")
    return "\n".join(["#include <cstdint>", *lines, ""])


def structures_of(sources: Iterable[Path]) -> set[str]:
    """Names of the structures that sources define. Raises OSError."""
    return {name.decode() for path in sources for name in _OWN.findall(path.read_bytes())}


def _statements(code: Code) -> Iterator[list[str]]:
    """The macros of tiling data, each with its arguments, in their order."""
    for at, token in enumerate(code.tokens):
        if token.text == _END:
            yield [_END]
        elif token.text in (_BEGIN, _REGISTER, *_FIELDS):
            yield [token.text, *(code.text(*given) for given in code.arguments(at + 1))]
