"""Choose the pieces, write the unit, and hook it in: all as patches of a plan."""

from __future__ import annotations

import ast
from collections import ChainMap, Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname, relpath

from porter.languages import python
from porter.model import (
    Change,
    FilePatch,
    Language,
    Package,
    ProjectFacts,
    Role,
    Style,
    Surface,
    Use,
)
from porter.unit import hooks, packaging
from porter.unit.choose import answers, choose
from porter.unit.compose import changes, compose
from porter.unit.pieces import Piece, Plane


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPlan:
    """What the unit adds and edits; `answers` maps each torch name answered to a piece id."""

    patches: tuple[FilePatch, ...] = ()
    answers: Mapping[str, str]
    notes: tuple[str, ...] = ()  # what a person has to look at


def assemble(
    files: Mapping[str, bytes],
    facts: ProjectFacts,
    uses: Sequence[Use],
    surface: Surface,
    style: Style,
    pieces: Sequence[Piece],
) -> UnitPlan:
    """The unit for the names in `uses`, and the lines that reach it, in the tree `files`.

    Styles differ in the guards that rules wrote; the unit hooks itself to either. Run
    on a tree that has its own output already, it patches nothing.
    """
    reachable = [use for use in uses if use.role in (Role.LIBRARY, Role.TEST)]
    chosen = choose(pieces, reachable, facts, surface, files, _attributes(files, facts, uses))
    if not chosen:
        return UnitPlan(answers={})
    home = _home(files, facts, chosen, reachable)
    if home is None:
        return UnitPlan(answers={}, notes=(f"no package for {', '.join(p.id for p in chosen)}",))
    edits = _Edits(files)
    for patch in compose(home.folder, home.name, chosen):
        edits.write(patch)
    _hook(edits, facts, chosen, home)
    return UnitPlan(patches=edits.patches(), answers=_answers(chosen, uses), notes=edits.notes)


@dataclass(frozen=True, slots=True)
class _Home:
    """Where the unit stands: its folder, and the package it is part of, if any."""

    folder: str
    name: str  # shown to readers
    package: Package | None
    python: tuple[Piece, ...]
    native: tuple[Piece, ...]


def _home(
    files: Mapping[str, bytes], facts: ProjectFacts, chosen: Sequence[Piece], uses: Sequence[Use]
) -> _Home | None:
    of_python = tuple(p for p in chosen if p.plane is Plane.PYTHON)
    native = tuple(p for p in chosen if p.plane is not Plane.PYTHON)
    package = _package(files, facts, uses)
    for_library = any(
        answers(piece, use) for piece in of_python for use in uses if use.role is Role.LIBRARY
    ) or any(piece.attributes for piece in of_python)
    if package is not None and (native or for_library):
        return _Home(f"{package.path}/{hooks.UNIT}", package.name, package, of_python, native)
    if native and not of_python:
        return _Home(hooks.UNIT, "this build", None, (), native)
    roots = [p for p in _conftests(files) if hooks.enables(files[p], p)]
    if not roots:
        return None
    root = dirname(roots[0])
    return _Home(f"{root}/{hooks.UNIT}".lstrip("/"), "the tests", None, of_python, native)


def _package(
    files: Mapping[str, bytes], facts: ProjectFacts, uses: Sequence[Use]
) -> Package | None:
    """The package that uses torch most, of those with an __init__ to hook."""
    top = [p for p in facts.packages if "." not in p.name and f"{p.path}/__init__.py" in files]
    count = Counter(
        package.name
        for use in uses
        for package in top
        if use.role is Role.LIBRARY and use.path.startswith(package.path + "/")
    )
    return max(top, key=lambda p: (count[p.name], -len(p.path)), default=None)


def _hook(edits: _Edits, facts: ProjectFacts, chosen: Sequence[Piece], home: _Home) -> None:
    why = changes(home.python[:1])
    package = home.package
    if home.python and package is not None:
        edits.edit(f"{package.path}/__init__.py", why, hooks.in_package)
        for path in sorted({*facts.build_scripts} & {*edits.files}):
            edits.edit(path, why, _packages(package))
        for path in _beside(facts, "pyproject.toml"):
            edits.edit(path, why, _metadata(package))
    if home.python:
        name = package.name if package is not None else None
        for path in _conftests(edits.files):
            edits.edit(path, why, lambda data, at: hooks.in_conftest(data, at, name))
    builder = [p for p in chosen if p.plane is Plane.BUILD]
    for path in facts.build_scripts if builder else ():
        build_file = relpath(f"{home.folder}/build.py", _root(path, facts) or ".")
        edits.edit(path, changes(builder), _running(build_file))
    hooked = [p for p in facts.build_scripts if b"build.py" in edits.files.get(p, b"")]
    if builder and not hooked:
        edits.note("no build script enables Paddle's proxy: nothing runs the builder part")


def _running(builder: str) -> Callable[[bytes, str], bytes]:
    return lambda data, path: hooks.in_build_script(data, path, builder)


def _packages(package: Package) -> Callable[[bytes, str], bytes]:
    unit = f"{package.name}.{hooks.UNIT}"
    return lambda data, path: packaging.in_script(data, path, package.name, unit)


def _metadata(package: Package) -> Callable[[bytes, str], bytes]:
    unit = f"{package.name}.{hooks.UNIT}"
    return lambda data, path: packaging.in_metadata(data, package.name, unit)


def _root(script: str, facts: ProjectFacts) -> str:
    """The folder that a build runs in: that of the setup.py above a script."""
    roots = [dirname(p) for p in facts.build_scripts if p.rpartition("/")[2] == "setup.py"]
    above = [r for r in roots if not r or script.startswith(r + "/")]
    return max(above, key=len, default="")


def _beside(facts: ProjectFacts, name: str) -> tuple[str, ...]:
    folders = {_root(script, facts) for script in facts.build_scripts} or {""}
    return tuple(sorted(f"{folder}/{name}".lstrip("/") for folder in folders))


def _conftests(files: Mapping[str, bytes]) -> list[str]:
    found = [path for path in files if path.rpartition("/")[2] == "conftest.py"]
    return sorted(found, key=lambda path: (path.count("/"), path))


def _attributes(
    files: Mapping[str, bytes], facts: ProjectFacts, uses: Sequence[Use]
) -> frozenset[str]:
    """Names of attributes read in library files that use torch."""
    paths = {u.path for u in uses if u.role is Role.LIBRARY and u.language is Language.PYTHON}
    found: set[str] = set()
    for path in sorted(paths & {*files}):
        try:
            tree = python.parse(files[path], path).tree
        except python.Unreadable:
            continue
        found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return frozenset(found)


def _answers(chosen: Sequence[Piece], uses: Sequence[Use]) -> dict[str, str]:
    found = {use.name: piece.id for piece in chosen for use in uses if answers(piece, use)}
    for piece in chosen:
        found |= {name: piece.id for name in piece.provides if piece.plane is not Plane.PYTHON}
        if piece.attributes:
            found |= dict.fromkeys(piece.provides, piece.id)
    return dict(sorted(found.items()))


class _Edits:
    """Files as they become; every change of one path ends in one patch."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files: ChainMap[str, bytes] = ChainMap({}, files)  # type: ignore[arg-type]
        self._before = files
        self._changes: dict[str, tuple[Change, ...]] = {}
        self.notes: tuple[str, ...] = ()

    def write(self, patch: FilePatch) -> None:
        assert patch.after is not None
        if self._before.get(patch.path) != patch.after:
            self.files[patch.path] = patch.after
            self._changes[patch.path] = patch.changes

    def edit(
        self, path: str, why: tuple[Change, ...], change: Callable[[bytes, str], bytes]
    ) -> None:
        if path not in self.files:
            return
        try:
            after = change(self.files[path], path)
        except python.Unreadable as error:
            self.note(f"{path}: {error}")
            return
        if after != self.files[path]:
            self.files[path] = after
            earlier = self._changes.get(path, ())
            self._changes[path] = earlier + tuple(c for c in why if c not in earlier)

    def note(self, text: str) -> None:
        self.notes = (*self.notes, text)

    def patches(self) -> tuple[FilePatch, ...]:
        return tuple(
            FilePatch(path=path, before=self._before.get(path), after=self.files[path], changes=why)
            for path, why in sorted(self._changes.items())
        )
