"""Read which of torch's C++ names a target's libraries export, overload by overload."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from porter.host import elf
from porter.host.demangle import demangled
from porter.model import Symbol

_NAME = r"(?:at|c10|torch|caffe2)(?:::~?\w+)*?(?:::operator[^\s(]+)?"
_EXPORTED = re.compile(rf"(?P<name>{_NAME})(?:\[abi:\w+\])?\(.*")


def exported(folder: Path, logs: Path) -> dict[str, tuple[str, ...]]:
    """Return the names of torch's namespaces that libraries below a folder export, each with its
    signatures. Without c++filt there are none."""
    libraries = [one for path in sorted(folder.rglob("*.so*")) if (one := elf.read(path))]
    symbols = sorted({name for library in libraries for name in library.defined})
    found: dict[str, set[str]] = {}
    for text in demangled(symbols, logs).values():
        if match := _EXPORTED.fullmatch(text):
            found.setdefault(match["name"], set()).add(text)
    return {name: tuple(sorted(texts)) for name, texts in sorted(found.items())}


def with_exports(
    symbols: Mapping[str, Symbol], exports: Mapping[str, tuple[str, ...]]
) -> dict[str, Symbol]:
    """The symbols with the signatures that are exported. What no header declares is not usable,
    and stays missing; what torch does not have is the target's own."""
    out = dict(symbols)
    for name, signatures in exports.items():
        known = out.get(name, Symbol(kind="function", provenance="exported"))
        out[name] = replace(known, signatures=signatures)
    return out
