"""Hook the unit into build scripts, and have it packaged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from posixpath import dirname, relpath

from porter.model import UNIT, Change, FilePatch, Package, ProjectFacts
from porter.unit import hooks, packaging
from porter.unit.compose import changes, modules
from porter.unit.edits import Edits
from porter.unit.pieces import Piece, Plane

LOADING = "torch.utils.cpp_extension.load"  # compiles when the package runs
MANIFEST = "MANIFEST.in"


@dataclass(frozen=True, slots=True)
class Home:
    """Where the unit of a project is: in the package that imports it, or in the built folder."""

    root: str  # the folder that is built
    package: Package | None  # without a name, the folder of single modules

    @property
    def folder(self) -> str:
        return self.package.path if self.package is not None else self.root

    @property
    def name(self) -> str:
        return self.package.name if self.package is not None else ""

    @property
    def place(self) -> str:
        return f"{self.folder}/{UNIT}".lstrip("/")

    @property
    def module(self) -> str:
        """How the unit is imported; empty where nothing imports it."""
        if self.package is None:
            return ""
        return f"{self.name}.{UNIT}" if self.name else UNIT

    @property
    def up(self) -> str:
        """From the unit to the folder that is built."""
        return relpath(self.root or ".", self.place)

    @property
    def user(self) -> str:
        if self.package is None:
            return "this build uses"
        return f"the package {self.name} uses" if self.name else "these modules use"


def hook_builder(
    edits: Edits, facts: ProjectFacts, home: Home, chosen: Sequence[Piece], *, native: bool
) -> bool:
    """Run the builder part in build scripts, if there is one (`native`); list the unit's folder
    where packages and files are listed.

    Whether a script runs enable.py of the unit.
    """
    builder = changes([p for p in chosen if p.plane is Plane.BUILD])
    for path in _building(facts) if native else ():
        place = relpath(home.place, _root(path, facts) or ".")
        hook = partial(
            hooks.hook_build_script, proxy=edits.proxy, unit=place, modules=modules(chosen)
        )
        edits.edit(path, builder, hook)
    if native and not any(UNIT.encode() in edits.files.get(p, b"") for p in _building(facts)):
        edits.note(
            f"no build script enables {edits.proxy.title}'s proxy to use the extension builder"
        )
    of_python = [piece for piece in chosen if piece.plane is Plane.PYTHON]
    if home.package is not None and of_python:
        for path in _settings(facts, home):
            listing = packaging.BY_NAME.get(path.rpartition("/")[2], packaging.add_to_script)
            change = partial(listing, package=home.name, unit=home.module)
            edits.edit(path, changes(of_python), change)
    if native:
        _add_to_sdist(edits, facts, home, changes(chosen))
    loaders = [piece for piece in of_python if LOADING in piece.provides]
    if home.package is not None and loaders:
        _install_headers(edits, facts, home, changes(loaders))
    return any(runs_unit(edits, path) for path in _building(facts))


def _settings(facts: ProjectFacts, home: Home) -> Iterator[str]:
    """The files that may say what is installed."""
    yield from facts.build_scripts
    folders = {_root(script, facts) for script in facts.build_scripts} | {home.root}
    for name in packaging.BY_NAME:
        yield from sorted(f"{folder}/{name}".lstrip("/") for folder in folders)


def _add_to_sdist(edits: Edits, facts: ProjectFacts, home: Home, why: tuple[Change, ...]) -> None:
    """Have setuptools take the unit's folder into sdists, as its builds need what is in there."""
    path = f"{home.root}/{MANIFEST}".lstrip("/")
    line = f"graft {relpath(home.place, home.root or '.')}"
    settings = b"".join(edits.files.get(p, b"") for p in _settings(facts, home))
    if "setuptools" not in facts.builds or packaging.takes_from_git(settings):
        return
    if path in edits.files:
        edits.edit(path, why, lambda data, path: packaging.add_line(data, line))
    else:
        text = f"{line}\n".encode()
        edits.write([FilePatch(path=path, before=None, after=text, changes=why)])


def _install_headers(
    edits: Edits, facts: ProjectFacts, home: Home, why: tuple[Change, ...]
) -> None:
    """Have the unit's headers installed, for what compiles when the package runs."""

    def any_lists_headers(paths: Iterable[str]) -> bool:
        return any(packaging.HEADERS.encode() in edits.files.get(path, b"") for path in paths)

    for path in facts.build_scripts:
        hook = partial(packaging.headers_in_script, unit=home.module)
        edits.edit(path, why, hook)
    tables = () if any_lists_headers(facts.build_scripts) else _find_beside(facts, "pyproject.toml")
    for path in tables:
        edits.edit(path, why, lambda data, _: packaging.headers_in_metadata(data, home.module))
    if not any_lists_headers((*facts.build_scripts, *tables)):
        edits.note(f"load() needs {home.place}/include in the installed package")


def runs_unit(edits: Edits, path: str) -> bool:
    return b"enable.py" in edits.files.get(path, b"")


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


def _find_beside(facts: ProjectFacts, name: str) -> tuple[str, ...]:
    folders = {_root(script, facts) for script in facts.build_scripts} or {""}
    return tuple(sorted(f"{folder}/{name}".lstrip("/") for folder in folders))
