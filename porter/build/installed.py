"""What a build installed: distributions, modules to import, files that the tree lacks."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.metadata import PathDistribution
from pathlib import Path, PurePosixPath

_NATIVE = (".so", ".pyd", ".dylib")
_NEVER = {"tests", "test", "testing", "docs", "doc", "examples", "benchmarks", "benchmark"}
_SOURCE_ROOTS = ("", "src", "python", "lib")


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """Something to import after a build; `path` for a shared library, `alone` for one that is
    loaded without the package it is in."""

    name: str
    path: str = ""
    alone: bool = False

    @property
    def entry(self) -> str:
        return f"{self.name}={'=' * self.alone}{self.path}" if self.path else self.name


def distributions(site: Path) -> frozenset[str]:
    """Names of the metadata folders in a site-packages folder."""
    return frozenset(path.name for path in site.glob("*.dist-info"))


def files(site: Path, dist_info: str) -> tuple[str, ...]:
    """Files of a distribution below site-packages, as its RECORD lists them."""
    listed = PathDistribution(site / dist_info).files or ()
    inside = (str(PurePosixPath(str(path))) for path in listed)
    return tuple(sorted(name for name in inside if not name.startswith("..")))


def libraries(site: Path, names: tuple[str, ...]) -> tuple[Path, ...]:
    """Every shared library among the files, those that are no module too."""
    return tuple(site / name for name in names if ".so" in PurePosixPath(name).suffixes)


def modules(site: Path, names: tuple[str, ...]) -> tuple[Module, ...]:
    """Packages and single modules at the top first, then every native library."""
    return (*_tops(names), *_natives(site, names))


def _tops(names: tuple[str, ...]) -> list[Module]:
    paths = [PurePosixPath(name) for name in names]
    folders = {p.parent for p in paths if p.name == "__init__.py" and len(p.parts) > 1}
    outer = {folder.parts for folder in folders if folders.isdisjoint(folder.parents)}
    single = {(p.stem,) for p in paths if len(p.parts) == 1 and p.suffix == ".py"}
    usable = [
        names for names in outer | single
        if all(name.isidentifier() and name not in _NEVER for name in names)
    ]  # fmt: skip
    return [Module(name=".".join(names)) for names in sorted(usable)]


def _natives(site: Path, names: tuple[str, ...]) -> list[Module]:
    found = []
    for path in (PurePosixPath(name) for name in names):
        parts = (*path.parent.parts, path.name.partition(".")[0])
        # Libraries beside the modules (`pkg.libs/`) belong to no package: nothing to import.
        if path.suffix in _NATIVE and all(part.isidentifier() for part in parts):
            found.append(Module(name=".".join(parts), path=str(site / path)))
    return found


def complete(site: Path, names: tuple[str, ...], tree: Path) -> tuple[str, ...]:
    """Copy what the wheel has and the tree's own copy of the package lacks; give those paths.

    Tests run from the repository root, where Python finds the package of the tree before the
    installed one; without its compiled modules and generated files that package is unbuilt.
    Nothing that the tree has is replaced.
    """
    copied = []
    for name in names:
        home = _home(PurePosixPath(name), tree)
        if home is None or home.exists() or "__pycache__" in home.parts:
            continue
        source = site / name
        if source.is_file():
            home.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, home)
            copied.append(str(home.relative_to(tree)))
    return tuple(copied)


def _home(path: PurePosixPath, tree: Path) -> Path | None:
    """Where a file of site-packages belongs in the tree, if the tree has its top package."""
    if len(path.parts) < 2 or path.parts[0].endswith((".dist-info", ".libs", ".data")):
        return None
    for folder in _SOURCE_ROOTS:
        if (tree / folder / path.parts[0] / "__init__.py").is_file():
            return tree / folder / path
    return None
