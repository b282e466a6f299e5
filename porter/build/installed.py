"""What a build installed (distributions, modules to import, files that the tree lacks), and what
went wrong, as diagnostics and in a sentence."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import PathDistribution
from pathlib import Path, PurePosixPath

from porter.build.diagnostics import causes, plain
from porter.build.packages import Installed
from porter.build.undeclared import WITH_TORCH, remedy
from porter.languages.data import read_json
from porter.model import UNIT, Diagnostic

_NATIVE = (".so", ".pyd", ".dylib")
_NEVER = {"tests", "test", "testing", "docs", "doc", "examples", "benchmarks", "benchmark"}
_PROGRAMS = {"__main__", "setup", "conftest", "scripts"}
_LARGE = 16 << 20  # bytes of a file
_TEST = re.compile(r"test_|\w+_tests?\Z")
SOURCE_ROOTS = ("", "src", "python", "lib")


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
    """Packages and single modules; without any, what there is in namespaces."""
    paths = [PurePosixPath(name) for name in names]
    folders = {p.parent for p in paths if p.name == "__init__.py" and len(p.parts) > 1}
    outer = {folder.parts for folder in folders if folders.isdisjoint(folder.parents)}
    single = {(p.stem,) for p in paths if len(p.parts) == 1 and p.suffix == ".py"}
    usable = [
        names for names in outer | single
        if all(name.isidentifier() and name not in {UNIT, *_NEVER} for name in names)
    ]  # fmt: skip
    return [Module(name=".".join(names)) for names in sorted(usable)] or list(inner(names))


def find_beside(
    names: Iterable[str], modules: Iterable[Module], imported: Collection[str]
) -> frozenset[str]:
    """Names of the modules in Python that stand beside the package with most files, where that was
    imported: what does not work of them, such as the old name of a package, stops nothing."""
    files = Counter(PurePosixPath(name).parts[0].removesuffix(".py") for name in names)
    plain = [module.name for module in modules if not module.path]
    most = max(plain, key=lambda name: files[name.partition(".")[0]], default="")
    return frozenset(plain) - {most} if most in imported else frozenset()


def inner(names: tuple[str, ...]) -> tuple[Module, ...]:
    """List the Python modules inside of packages, but for tests, programs and vendored units, which
    what needs them imports."""
    found = []
    for path in (PurePosixPath(name) for name in names):
        parts = path.parent.parts if path.name == "__init__.py" else (*path.parent.parts, path.stem)
        inside = len(parts) > 1 and path.suffix == ".py"
        if inside and all(part.isidentifier() and not _is_aside(part) for part in parts):
            found.append(Module(name=".".join(parts)))
    return tuple(found)


def _is_aside(part: str) -> bool:
    return part == UNIT or part in _NEVER or part in _PROGRAMS or bool(_TEST.match(part))


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


_NOT_FOUND = re.compile(r"No such file or directory: '([^'\n]+)'")


def add_left_out(
    site: Path, names: Iterable[str], tree: Path, problems: Iterable[Diagnostic] = ()
) -> tuple[str, ...]:
    """Copy what packages have in the tree, and the wheel left out; and the folders beside packages
    in which files were not found, by what the imports said. Give those paths."""
    tops = {PurePosixPath(name).parts[0] for name in names if name.endswith("/__init__.py")}
    roots = [tree / folder / top for top in sorted(tops) for folder in SOURCE_ROOTS]
    roots = [root for root in roots if (root / "__init__.py").is_file()]
    said = "\n".join(each.message for each in problems)
    lost = (Path(os.path.normpath(path)) for path in _NOT_FOUND.findall(said))
    asked = {path.relative_to(site).parts[0] for path in lost if site in path.parents[1:]}
    roots += [tree / folder / top for top in sorted(asked - tops) for folder in SOURCE_ROOTS]
    added = []
    inside = tree.resolve()
    for root in (root for root in roots if root.resolve().is_relative_to(inside)):
        for path in sorted(root.rglob("*")):
            relative = path.relative_to(root.parent)
            if (site / relative).exists() or not _is_plain(path, root):
                continue
            (site / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, site / relative)
            added.append(str(relative))
    return tuple(added)


def _is_plain(path: Path, root: Path) -> bool:
    """Whether it is a file of the folder itself, neither large nor made by a build."""
    made = path.suffix in _NATIVE or "__pycache__" in path.parts
    own = path.is_file() and path.resolve() == root.resolve() / path.relative_to(root)
    return own and not made and path.stat().st_size <= _LARGE


def left_out(added: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Say which files a package needs that its wheel does not have."""
    if not added:
        return ()
    more = f" and {len(added) - 1} other files" if len(added) > 1 else ""
    said = f"the wheel lacks {added[0]}{more}, without which the package cannot be imported"
    return (plain("pip", said, "warning"),)


def _home(path: PurePosixPath, tree: Path) -> Path | None:
    """Where a file of site-packages belongs in the tree, if the tree has its top package."""
    if len(path.parts) < 2 or path.parts[0].endswith((".dist-info", ".libs", ".data")):
        return None
    for folder in SOURCE_ROOTS:
        if (tree / folder / path.parts[0] / "__init__.py").is_file():
            return tree / folder / path
    return None


def together(
    seen: tuple[Diagnostic, ...],
    problems: tuple[Diagnostic, ...],
    modules: tuple[Module, ...],
    imported: tuple[str, ...],
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """What was seen in libraries, and the imports that failed: of one cause where it is one.

    What a library that was imported seemed to lack is reported, and fails nothing.
    """
    whole = tuple(module.path for module in modules if module.path and module.name in imported)
    seen = tuple(
        replace(item, severity="warning", cause=f"{item.cause} (imported nevertheless)")
        if item.path and any(path.endswith(item.path) for path in whole)
        else item
        for item in seen
    )
    known = {item.name: item.cause for item in seen if item.severity == "error"}
    same = (replace(p, cause=known.get(p.name, p.cause)) for p in problems)
    errors = tuple(item for item in seen if item.severity == "error")
    return tuple(item for item in seen if item.severity != "error"), (*errors, *same)


def refusals(done: Installed) -> tuple[Diagnostic, ...]:
    """Requirements that were not installed: worth knowing, not fatal."""
    return tuple(
        plain("pip", f"{name} was not installed: {why}", "warning") for name, why in done.refused
    )


def ports(done: Installed, ports: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Requirements that another distribution was installed for."""
    return tuple(
        plain("pip", f"{asked}: the port of {name} was installed", "warning")
        for asked in done.asked
        for name, port in ports.items()
        if asked.startswith(port)
    )


def find_lacking(unasked: Iterable[str]) -> tuple[Diagnostic, ...]:
    """Requirements that nobody states."""
    return tuple(
        plain(
            "pip",
            f"{name} is imported, but is not a requirement{_name_by_torch(name)}",
            "warning",
        )
        for name in unasked
    )


def _name_by_torch(name: str) -> str:
    return ": only torch installs it" if name in WITH_TORCH.values() else ""


def describe(found: Iterable[Diagnostic], what: str, otherwise: str = "") -> str:
    rows = causes(found)
    if not rows:
        return f"{what}: {otherwise}" if otherwise else what
    others = len(rows) - 1
    more = f" (and {others} more cause{'s' if others > 1 else ''})" if others else ""
    return f"{what}: {rows[0][0]}{more}"


def describe_unimported(problems: Sequence[Diagnostic]) -> str:
    lacking = "missing module "
    found = {p.cause.removeprefix(lacking) for p in problems if p.cause.startswith(lacking)}
    options = remedy(found)
    said = describe(problems, "installed, but cannot be imported")
    return f"{said}; {options}" if options else said


def line(text: str) -> dict[str, str]:
    """What a line of a worker's output says; nothing for a line of a module's own."""
    if not text.startswith('{"'):
        return {}
    try:
        data = read_json(text)
    except ValueError:  # a module's own output
        return {}
    return data if isinstance(data, dict) else {}
