"""Torch-specific leftovers after migrate, found by code that shares nothing with the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from porter.model import UNIT, Language, Residue, Role, SourceFile, Surface

if TYPE_CHECKING:
    from porter.residue import cpp


def residue(
    files: Iterable[tuple[SourceFile, bytes]],
    surface: Surface,
    torch_surface: Surface,
    answered: Mapping[str, str],
    in_package: Mapping[str, str] | None = None,
    *,
    keeps_torch: bool = True,
    proxy: bool = True,
    first_modules: Collection[str] = (),
    completed: Surface | None = None,
) -> tuple[Residue, ...]:
    """What in the files the target lacks or means otherwise, in the order of place.

    `answered` maps names that the vendored unit has to its pieces, `in_package` those of the unit
    that the package imports, of which scripts find some (default: all). `completed` is the surface
    for code that imports the package which completes the target (default: the same one). With
    `keeps_torch` (dual style) requirements on torch are as they should be; with `proxy` the target
    stands in for torch, and something has to enable that before torch is imported: files in
    `first_modules` by the package that completes it. Vendored files and the vendored unit are not
    looked at. A use whose absence the code itself provides for (porter.residue.guards, `#if`
    sections) is none: the code runs without the name, or says so. A state of UNKNOWN marks what
    this build of the target cannot tell. Of a notebook the bytes are the text of its cells, and so
    are the lines.
    """
    from porter.residue import build, cpp, python

    plain = python.Lookup(surface, torch_surface, answered)
    lookup = replace(plain, target=completed or surface)
    outside = python.Outside(plain, in_package, lookup.target)
    judge = cpp.judge(surface, torch_surface, frozenset(answered))
    found: list[Residue] = []
    enabling = build.Enabling(first_modules)
    for file, data in files:
        if file.role is Role.VENDORED or _is_unit(file.path):
            continue
        enabling.add(file, data)
        if file.path.endswith(".pyi"):
            continue  # nothing runs it
        if file.language is Language.CYTHON:
            found += python.find_in_cython(file, data, plain)
            continue
        if file.language not in (Language.PYTHON, Language.NOTEBOOK):
            found += _find_in_file(file, data, judge, answered, keeps_torch)
            continue
        tree = python.parse(data)
        if tree is not None:
            enabling.add_script(file, tree)
            if file.role is Role.ENTRY:
                found += outside.residue_of(file, tree, data, covered=build.completes(data))
            else:
                found += python.residue_of(file, tree, lookup, walrus=b":=" in data)
            if proxy:
                found += build.find_in_script(file, tree, data, keeps_torch, surface)
    if proxy:
        found += enabling.residue(surface)
    found += judge.headers.open_uses()
    found = [left for left in found if not judge.is_own(left)]
    return tuple(sorted(found, key=lambda r: (r.path, r.cell, r.line, r.column, r.name)))


def _is_unit(path: str) -> bool:
    """Whether a file is the vendored unit, or in it: a folder, or one module."""
    parts = path.split("/")
    return UNIT in parts or parts[-1] == f"{UNIT}.py"


def _find_in_file(
    file: SourceFile,
    data: bytes,
    judge: cpp.Judge,
    answered: Mapping[str, str],
    keeps_torch: bool,
) -> Iterator[Residue]:
    from porter.residue import build, cpp

    match file.language:
        case Language.CPP:
            yield from cpp.residue_of(file, data, judge)
        case Language.CMAKE:
            yield from build.find_in_cmake(file, data, answered, judge.target)
        case Language.TOML:
            if not keeps_torch:
                yield from build.find_in_requirements(file, data)
