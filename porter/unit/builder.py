"""Hook the unit into build scripts, and have it packaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from posixpath import dirname, relpath

from porter.model import UNIT, Change, Package, ProjectFacts
from porter.unit import hooks, packaging
from porter.unit.compose import changes, modules
from porter.unit.edits import Edits
from porter.unit.pieces import Piece, Plane

LOADING = "torch.utils.cpp_extension.load"  # compiles when the package runs


def hook_builder(
    edits: Edits, facts: ProjectFacts, package: Package | None, chosen: Sequence[Piece]
) -> bool:
    """Run the builder part in build scripts; list the unit's folder where packages are listed.

    Whether a script runs enable.py of the unit.
    """
    folder = package.path if package is not None else ""
    builder = changes([p for p in chosen if p.plane is Plane.BUILD])
    for path in _building(facts):
        place = relpath(f"{folder}/{UNIT}".lstrip("/"), _root(path, facts) or ".")
        hook = partial(
            hooks.in_build_script, proxy=edits.proxy, unit=place, modules=modules(chosen)
        )
        edits.edit(path, builder, hook)
    if not any(UNIT.encode() in edits.files.get(path, b"") for path in _building(facts)):
        edits.note(
            f"no build script enables {edits.proxy.title}'s proxy: nothing runs the builder part"
        )
    of_python = [piece for piece in chosen if piece.plane is Plane.PYTHON]
    if package is not None and of_python:
        why = changes(of_python)
        for path in facts.build_scripts:
            edits.edit(path, why, _packages(package))
        for path in _beside(facts, "pyproject.toml"):
            edits.edit(path, why, _metadata(package))
    loaders = [piece for piece in of_python if LOADING in piece.provides]
    if package is not None and loaders:
        _install_headers(edits, facts, package, changes(loaders))
    return any(runs_unit(edits, path) for path in _building(facts))


def _install_headers(
    edits: Edits, facts: ProjectFacts, package: Package, why: tuple[Change, ...]
) -> None:
    """Have the unit's headers installed, for what compiles when the package runs."""
    unit = f"{package.name}.{UNIT}"

    def listed(paths: Iterable[str]) -> bool:
        return any(packaging.HEADERS.encode() in edits.files.get(path, b"") for path in paths)

    for path in facts.build_scripts:
        edits.edit(path, why, lambda data, path: packaging.headers_in_script(data, path, unit))
    tables = () if listed(facts.build_scripts) else _beside(facts, "pyproject.toml")
    for path in tables:
        edits.edit(path, why, lambda data, path: packaging.headers_in_metadata(data, unit))
    if not listed((*facts.build_scripts, *tables)):
        edits.note(f"load() needs {package.path}/{UNIT}/include where the package is installed")


def runs_unit(edits: Edits, path: str) -> bool:
    return b"enable.py" in edits.files.get(path, b"")


def _packages(package: Package) -> Callable[[bytes, str], bytes]:
    unit = f"{package.name}.{UNIT}"
    return lambda data, path: packaging.in_script(data, path, package.name, unit)


def _metadata(package: Package) -> Callable[[bytes, str], bytes]:
    unit = f"{package.name}.{UNIT}"
    return lambda data, path: packaging.in_metadata(data, package.name, unit)


def _building(facts: ProjectFacts) -> list[str]:
    """The build scripts that state extensions, and the setup.py that each belongs to."""
    stating = {extension.path for extension in facts.extensions}
    roots = {_root(path, facts) for path in stating}
    setups = {f"{root}/setup.py".lstrip("/") for root in roots}
    return [path for path in facts.build_scripts if path in stating | setups]


def _root(script: str, facts: ProjectFacts) -> str:
    """The folder that a build runs in: that of the setup.py above a script."""
    roots = [dirname(p) for p in facts.build_scripts if p.rpartition("/")[2] == "setup.py"]
    above = [r for r in roots if not r or script.startswith(r + "/")]
    return max(above, key=len, default="")


def _beside(facts: ProjectFacts, name: str) -> tuple[str, ...]:
    folders = {_root(script, facts) for script in facts.build_scripts} or {""}
    return tuple(sorted(f"{folder}/{name}".lstrip("/") for folder in folders))
