"""The pieces as an installable package, in the place of a vendored unit: its files, and its wheel.

`python -m porter.unit.package FOLDER` writes its files there, and the wheel beside them.
The package is made of what lies below rules/TARGET/compat and of the pieces as they are, a module
each; generated are an index (which piece gives which names) and the headers.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from porter.errors import RuleError
from porter.host import compiled
from porter.host.home import porter_home, rules_home
from porter.model import State, Surface, When
from porter.surface.load import list_shipped as shipped_versions
from porter.surface.load import load, load_torch
from porter.surface.quirks import Quirk, read_quirks
from porter.unit.compose import names_of_others, needs_first, value_of
from porter.unit.deferred import deferred
from porter.unit.family import METHODS
from porter.unit.installed import load_shipped
from porter.unit.pieces import Condition, Piece, Plane, pieces
from porter.unit.render import render

FOLDER = "compat"  # below the rules of a target
OWN = "scope.py"  # what a vendored unit has of this name compares folders
_TIME = (1980, 1, 1, 0, 0, 0)  # of every file in the wheel: the same sources give the same bytes


def package_files(target: Path) -> dict[str, bytes]:
    """The package's files by path, for the rules of a target.

    Raises RuleError where a piece would be written over a file of the package.
    """
    home = target / FOLDER
    every = pieces(target / "polyfills")
    package = package_name(target)
    found = {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted([*(home / package).rglob("*"), *home.glob(f"{package}_*.py")])
        if path.is_file() and path.suffix != ".pyc"
    }
    for path, data in _piece_files(target, every):
        place = f"{package}/pieces/{path}"
        if place in found and path != OWN:
            raise RuleError(f"{place}: a polyfill and a file of the package have the same path")
        found.setdefault(place, data)
    rows = [*index(target, every)]
    values = [[*row.values()] for row in rows]
    known = {"torch": load_torch().version, "keys": [*rows[0]], "rows": values}
    found[f"{package}/pieces/index.json"] = json.dumps(known).encode()
    probes = _probes(read_quirks(target), rows)
    found[f"{package}/pieces/probes.json"] = json.dumps(probes).encode()
    files = dict(sorted(found.items()))
    files[f"{package}/digest"] = _digest(files).encode()
    return files


def write_package(target: Path, folder: Path) -> None:
    """Write the package's files into a folder, which is then a place to import it from."""
    for path, data in package_files(target).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, data in files.items():
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:16]


def package_name(target: Path) -> str:
    """The name that the package is imported by."""
    (found,) = (path.parent.name for path in (target / FOLDER).glob("*/__init__.py"))
    return found


def _piece_files(target: Path, every: Sequence[Piece]) -> Iterator[tuple[str, bytes]]:
    for path in sorted((target / "polyfills" / "python").glob("*/piece.py")):
        yield f"{path.parent.name}.py", path.read_bytes()
    for piece in every:
        if piece.plane is Plane.BUILD:
            yield from piece.files
    parts = [part for piece in every for part in piece.parts]
    counted = load_shipped(target.name, shipped_versions(target.name)[0])  # the oldest version's
    lacked = [part for part in parts if part.id not in counted.has]
    for header, text in render(lacked, installed=counted).items():
        yield f"include/{header}", text.encode()


def index(target: Path, every: Iterable[Piece]) -> Iterator[dict[str, Any]]:
    """What each Python piece gives and when it is needed, in the order in which pieces are run."""
    surface = load(target.name, shipped_versions(target.name)[-1])
    groups = needs_first([piece for piece in every if piece.plane is Plane.PYTHON])
    files = (target / "polyfills" / "python").glob("*/piece.py")
    later = deferred({file.parent.name: file.read_text(encoding="utf-8") for file in files})
    for number, group in enumerate(groups):
        for piece in group:
            entry = {**_index_entry(piece), **condition(piece, surface), "group": number}
            yield {**entry, "deferred": entry["module"] in later}


def _probes(quirks: Mapping[str, Quirk], rows: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The code that tells whether a quirk holds, by its id, of those that pieces are for."""
    asked = dict.fromkeys(id for row in rows for id in row["quirks"])
    return {id: [*quirks[id].probes.values()] for id in asked if quirks[id].probes}


def _index_entry(piece: Piece) -> dict[str, Any]:
    family, _, own = piece.id.rpartition("/")[2].rpartition(".")
    methods = [name for name in piece.provides if name.startswith(f"{METHODS}.") and family]
    return {
        "id": piece.id,
        "module": family or own,
        "family": bool(family),
        "needs": piece.needs,
        "names": {name: value_of(name, piece) for name in names_of_others(piece)},
        "lacking": bool(piece.missing),
        # what a family gives to tensors; other pieces do so themselves
        "methods": {name.removeprefix(f"{METHODS}."): own for name in methods},
        "helper": piece.is_helper,
        "later": piece.later,
    }


def condition(piece: Piece, surface: Surface) -> dict[str, Any]:
    """Where it is needed: where names are missing; of those that the newest known version has
    otherwise than torch, while keywords are refused, or probes say so, or else for good."""
    names = piece.missing or piece.provides
    symbols = {name: surface.python.get(name) for name in names}
    differing = {n: s for n, s in symbols.items() if s and s.state is State.DIFFERENT}
    facts = [fact for symbol in differing.values() for fact in symbol.facts]
    unknown = all(not s or s.state is State.MISSING for s in symbols.values())
    by_keyword = bool(facts) and all(fact.when is When.KEYWORD for fact in facts)
    by_quirk = bool(facts) and all(fact.quirk for fact in facts)
    return {
        "unless": names if piece.missing or piece.accepts or unknown else (),
        "differing": () if by_keyword else [*differing],
        "accepts": piece.accepts,
        "quirks": piece.quirks or tuple({fact.quirk: 0 for fact in facts} if by_quirk else ()),
        "device": "npu" if piece.when is Condition.FOR_ASCEND else "",
    }


def wheel(target: Path) -> Path:
    """The wheel for the rules of a target: that inside porter's own, else one of this checkout."""
    shipped_with = sorted((target / FOLDER).glob("*.whl"))
    if shipped_with:
        return shipped_with[-1]
    digest = compiled.load("wheel", target, lambda: _digest(package_files(target)))
    folder = porter_home() / "compiled" / f"wheel-{digest}"
    return next(folder.glob("*.whl"), None) or build_wheel(target, folder)


def build_wheel(target: Path, folder: Path) -> Path:
    """Write the wheel of the package for the rules of a target, whole or not at all."""
    home = target / FOLDER
    project = tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    files = package_files(target)
    info = f"{name}-{version}.dist-info"
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: porter\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    entries = _entry_points(project)
    if entries:
        files[f"{info}/entry_points.txt"] = entries.encode()
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD").encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    temporary = path.with_suffix(f".{os.getpid()}.part")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for inner, data in files.items():
            entry = zipfile.ZipInfo(inner, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    temporary.replace(path)
    return path


def _metadata(project: Mapping[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {one}" for one in project.get("classifiers", ())),
        *(f"Requires-Dist: {one}" for one in project.get("dependencies", ())),
    ]
    return "\n".join(lines) + "\n"


def _entry_points(project: Mapping[str, Any]) -> str:
    groups = {**project.get("entry-points", {})}
    if project.get("scripts"):
        groups["console_scripts"] = project["scripts"]
    return "\n".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in rows.items())
        for group, rows in groups.items()
    )


def _record(files: Mapping[str, bytes], own: str) -> str:
    rows = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(data)}")
    return "\n".join([*rows, f"{own},,"]) + "\n"


if __name__ == "__main__":
    (home,) = (path.parent for path in rules_home().glob(f"*/{FOLDER}"))
    write_package(home, Path(sys.argv[1]))
    build_wheel(home, Path(sys.argv[1]))
