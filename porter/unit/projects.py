"""The projects of a tree, each of which is built by itself, and what of it can hold a unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename, dirname

from porter.model import Package, ProjectFacts, Role, Use

BUILT = (b"[project]", b"[build-system]", b"[tool.poetry]")  # tables of a pyproject.toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A folder that is built by itself, with what is in it and in no project further in."""

    root: str
    facts: ProjectFacts
    uses: Sequence[Use]
    has: Callable[[str], bool]  # whether a path is of it


def split(
    files: Mapping[str, bytes],
    facts: ProjectFacts,
    uses: Sequence[Use],
    conftests: Collection[str],
) -> Iterator[Project]:
    """The projects that build or install something; tests are of the one that has the outermost of
    `conftests` above them. Of a tree with one only, all of it is that one's."""
    roots = {dirname(path) for path in facts.build_scripts if basename(path) == "setup.py"}
    roots |= {dirname(path) for path in files if _is_built(path, files)}
    content = [e.path for e in facts.extensions] + [*facts.first_modules]
    content += [f"{package.path}/" for package in facts.packages]
    used = {_root(path, roots) for path in content}
    if len(used) < 2:
        yield Project(root=next(iter(used), ""), facts=facts, uses=uses, has=lambda path: True)
        return

    def owner(use: Use) -> str:
        above = [path for path in conftests if _is_below(use.path, dirname(path))]
        place = min(above, key=len) if above and use.role is Role.TEST else use.path
        return _root(place, used)

    for root in sorted(used | {""}):
        yield Project(
            root=root,
            facts=_part(facts, lambda path, root=root: _root(path, used) == root),  # type: ignore[misc]
            uses=[use for use in uses if owner(use) == root],
            has=lambda path, root=root: _root(path, used) == root,  # type: ignore[misc]
        )


def _is_built(path: str, files: Mapping[str, bytes]) -> bool:
    return basename(path) == "pyproject.toml" and any(table in files[path] for table in BUILT)


def _root(path: str, roots: Collection[str]) -> str:
    """The innermost of the folders that a path is in."""
    return max((root for root in roots if _is_below(path, root)), key=len, default="")


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _part(facts: ProjectFacts, has: Callable[[str], bool]) -> ProjectFacts:
    return replace(
        facts,
        build_scripts=tuple(filter(has, facts.build_scripts)),
        extensions=tuple(e for e in facts.extensions if has(e.path)),
        packages=tuple(p for p in facts.packages if has(f"{p.path}/")),
        first_modules=tuple(filter(has, facts.first_modules)),
        tests=tuple(filter(has, facts.tests)),
        conftests=tuple(filter(has, facts.conftests)),
        pytest_roots=tuple(folder for folder in facts.pytest_roots if has(f"{folder}/")),
    )


def package_of(files: Collection[str], facts: ProjectFacts, uses: Sequence[Use]) -> Package | None:
    """The package that uses torch most, of those that can hold a unit: with an __init__.py, of a
    namespace, or, without a name, the folder of single modules."""
    whole = [p for p in facts.packages if f"{p.path}/__init__.py" in files]
    others = [p for p in facts.packages if p not in whole]
    others += [Package("", folder) for folder in dict.fromkeys(map(dirname, facts.first_modules))]
    held = [p for p in others if first_files(p, files, facts)]
    count = Counter(
        package
        for use in uses
        for package in (*whole, *held)
        if use.role is Role.LIBRARY and _has(package, use.path)
    )
    able = [*whole, *(package for package in held if count[package])]
    return max(able, key=lambda p: (count[p], bool(p.name), -len(p.path)), default=None)


def _has(package: Package, path: str) -> bool:
    return path.startswith(f"{package.path}/") if package.name else dirname(path) == package.path


def first_files(package: Package, files: Collection[str], facts: ProjectFacts) -> tuple[str, ...]:
    """The files that are run first when something of a package is imported."""
    initial = f"{package.path}/__init__.py"
    if package.name and initial in files:
        return (initial,)
    modules = tuple(path for path in facts.first_modules if _has(package, path))
    return modules if package.name or not _keep_in_packages(modules, facts) else ()


def _keep_in_packages(modules: Sequence[str], facts: ProjectFacts) -> bool:
    return any(_has(package, path) for package in facts.packages for path in modules)
