"""The C++ names of a surface: what torch's headers declare, and what a target's headers have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from porter.host import elf
from porter.host.demangle import demangle
from porter.host.home import rules_home
from porter.languages.cpp import parse
from porter.languages.data import read_toml
from porter.model import State, Symbol
from porter.surface.cpp_declarations import Declarations, Entry
from porter.surface.cpp_headers import scan

HEADER_ENDS = (".h", ".cuh", ".hpp")
API = "torch/csrc/api/include/"  # a folder compilers search itself, so torch/all.h is its name
ROOTS = ("at", "c10", "torch", "caffe2")
ELSEWHERE = {"torch::DispatchKey": "c10::DispatchKey"}  # where a target keeps an enum elsewhere
_NAME = r"(?:at|c10|torch|caffe2)(?:::~?\w+)*?(?:::operator[^\s(]+)?"
_EXPORTED = re.compile(rf"(?P<name>{_NAME})(?:\[abi:\w+\])?\(.*")


@cache
def _read_settings() -> Mapping[str, Any]:
    """Which folders, classes and namespaces of torch count: rules/torch/surface.toml."""
    return read_toml((rules_home() / "torch" / "surface.toml").read_text(encoding="utf-8"))


def headers(root: Path) -> Iterator[tuple[str, Path]]:
    """(name it is included with, file) for each header of an include folder."""
    for path in sorted(root.rglob("*")):
        if path.suffix in HEADER_ENDS and path.is_file():
            yield path.relative_to(root).as_posix().removeprefix(API), path


def torch_names(include: Path) -> dict[str, Symbol]:
    """Every C++ name, macro and header that torch's include folder offers."""
    out: dict[str, Symbol] = {}
    read: dict[str, bytes] = {}
    listed, keys = _read_settings(), _read_settings()["dispatch_keys"]
    for top in ("ATen", "c10", "torch"):
        for path in sorted((include / top).rglob("*")):
            relative = path.relative_to(include).as_posix()
            if path.suffix not in HEADER_ENDS or any(
                mark in relative for mark in listed["generated"]
            ):
                continue
            name = relative.removeprefix(API)
            out[f"<{name}>"] = Symbol(kind="header")
            if path.parent.relative_to(include).as_posix() in listed["scanned"]:
                read[name] = path.read_bytes()
    declared = scan(read)
    out.update(_make_symbols(declared))
    for functionality, backend in product(keys["functionality"], keys["backend"]):
        out[f"c10::DispatchKey::{functionality}{backend}"] = Symbol(kind="enumerator")
    return out


def _make_symbols(declared: Declarations) -> Iterator[tuple[str, Symbol]]:
    for name in declared.macros:
        if name.startswith(("AT_", "TORCH_", "C10_", "CUDA_KERNEL", "PYBIND11_", "GENERIC_")):
            yield name, Symbol(kind="macro")
    for scope, content in declared.scopes.items():
        parts = scope.split("::")
        if parts[0] not in ROOTS or any(part in _read_settings()["hidden"] for part in parts):
            continue
        outer = "::".join(parts[:-1])
        holder = declared.scopes.get(outer)
        of_class = holder is not None and parts[-1] in holder.members
        if of_class and holder is not None and holder.members[parts[-1]].kind == "namespace":
            of_class = False
        if of_class and scope not in _read_settings()["members_of"]:
            continue
        inherited = [declared.scopes[b] for b in _bases(scope, declared)] if of_class else []
        for source in (content, *inherited):
            for name, entry in source.members.items():
                if not name.startswith("_"):
                    yield f"{scope}::{name}", Symbol(kind=entry.kind)


def _bases(scope: str, declared: Declarations) -> Iterator[str]:
    """Base classes in the same namespace, whose members count as the class's own."""
    outer = scope.rpartition("::")[0]
    for base in declared.scopes[scope].used:
        if f"{outer}::{base}" in declared.scopes:
            yield f"{outer}::{base}"


def target_names(
    root: Path, beside: Sequence[Path], torch: Mapping[str, Symbol]
) -> dict[str, Symbol]:
    """The state of every C++ name of torch in a target's headers, and the target's own names."""
    found = dict(headers(root))
    read = {name: path.read_bytes() for name, path in found.items()}
    read.update(_read_included_headers(read, beside))
    declared = scan(read)
    own = {f"<{n}>": Symbol(kind="header", provenance=n) for n in found}
    own.update({n: s for n, s in _make_symbols(declared) if n not in torch})
    own.update({n: _header_or_name(n, s, declared, set(found)) for n, s in torch.items()})
    return own


def _read_included_headers(read: Mapping[str, bytes], beside: Sequence[Path]) -> dict[str, bytes]:
    """The target's own headers that its compat headers include: aliases point into them."""
    out: dict[str, bytes] = {}
    for name, data in read.items():
        for header, _ in parse(data, name).includes:
            for folder in beside:
                path = folder / header
                if header not in read and header not in out and path.is_file():
                    out[header] = path.read_bytes()
    return out


def _header_or_name(
    name: str, symbol: Symbol, declared: Declarations, included: set[str]
) -> Symbol:
    if symbol.kind == "header":
        present = name[1:-1] in included
        where = name[1:-1] if present else ""
    elif symbol.kind == "macro":
        entry = declared.macros.get(name)
        present, where = entry is not None, entry.header if entry else ""
    else:
        found = declared.find(name) or _find_moved(name, declared)
        present, where = found is not None, found.header if found else ""
    state = State.PRESENT if present else State.MISSING
    return Symbol(kind=symbol.kind, state=state, provenance=where)


def _find_moved(name: str, declared: Declarations) -> Entry | None:
    """A name of an enum that the target keeps in another namespace."""
    for there, here in ELSEWHERE.items():
        if name == here or name.startswith(f"{here}::"):
            return declared.find(there + name[len(here) :])
    return None


def find_exports(folder: Path, logs: Path) -> dict[str, tuple[str, ...]]:
    """Return the names of torch's namespaces that libraries below a folder export, each with its
    signatures. Without c++filt there are none."""
    libraries = [one for path in sorted(folder.rglob("*.so*")) if (one := elf.read(path))]
    symbols = sorted({name for library in libraries for name in library.defined})
    found: dict[str, set[str]] = {}
    for text in demangle(symbols, logs).values():
        if match := _EXPORTED.fullmatch(text):
            found.setdefault(match["name"], set()).add(text)
    return {name: tuple(sorted(texts)) for name, texts in sorted(found.items())}


def add_exports(
    symbols: Mapping[str, Symbol], exports: Mapping[str, tuple[str, ...]]
) -> dict[str, Symbol]:
    """The symbols with the signatures that are exported. What no header declares is not usable,
    and stays missing; what torch does not have is the target's own."""
    out = dict(symbols)
    for name, signatures in exports.items():
        known = out.get(name, Symbol(kind="function", provenance="exported"))
        out[name] = replace(known, signatures=signatures)
    return out
