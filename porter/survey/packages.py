"""The import packages a project installs, from its build settings and its folders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from porter.languages import python
from porter.model import Extension, Language, Package, Role, SourceFile
from porter.survey import extensions

_NOT_PACKAGES = re.compile(
    r"tests?|testing|docs?|examples?|benchmarks?|bench|scripts?|tools?|demos?|build|dist|cmake"
)
_ROOTS = ("", "src", "python")


def find(
    files: Iterable[SourceFile],
    scripts: Mapping[str, python.Module],
    settings: Mapping[str, Any],
    stated: Iterable[Extension],
    distribution: str | None,
) -> tuple[Package, ...]:
    """Top-level packages, the most likely main one first."""
    files = list(files)
    own = [f for f in files if f.language is Language.PYTHON]
    folders = {f.path.rpartition("/")[0] for f in own if f.path.rpartition("/")[2] == "__init__.py"}
    mapped = _package_dirs(scripts, settings)
    found = {p.path: p for p in _mapped(mapped, own)}
    for root in _roots(files, mapped, settings):
        for folder in sorted(folders):
            parent, _, name = folder.rpartition("/")
            stated_root = root in ("src", *mapped.get("", ()))
            likely = stated_root or not _NOT_PACKAGES.fullmatch(name)
            if parent == root and likely and name.isidentifier():
                found.setdefault(folder, Package(name, folder))
        for package in () if _any_below(root, found) else _in_namespaces(root, folders):
            if root or _is_stated(package.name, distribution, scripts, settings):
                found.setdefault(package.path, package)
    for package in _namespace(stated, own, found, _roots(files, mapped, settings)):
        found.setdefault(package.path, package)
    return tuple(sorted(found.values(), key=lambda p: _rank(p, own, stated, distribution)))


def lookup(settings: Mapping[str, Any], *keys: str) -> Any:
    """A value of nested tables; None where a key is missing."""
    value: Any = settings
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def _roots(
    files: Iterable[SourceFile], mapped: Mapping[str, tuple[str, ...]], settings: Mapping[str, Any]
) -> tuple[str, ...]:
    """Folders that packages stand in: of each project, its own, src/, python/ and stated ones."""
    projects = {
        f.path.rpartition("/")[0]
        for f in files
        if f.role is Role.BUILD and f.path.rpartition("/")[2] in ("setup.py", "pyproject.toml")
    }
    roots = [_under(p, r) for p in sorted({"", *projects}, key=len) for r in _ROOTS]
    where = lookup(settings, "pyproject", "tool", "setuptools", "packages", "find", "where") or []
    roots += [str(w).strip("./") for w in where if isinstance(w, str)]
    cfg = lookup(settings, "cfg", "options.packages.find", "where")
    roots += [cfg.strip().strip("./")] if isinstance(cfg, str) else []
    return tuple(dict.fromkeys([*roots, *mapped.get("", ())]))


def _under(folder: str, name: str) -> str:
    return "/".join(part for part in (folder, name) if part)


def _package_dirs(
    scripts: Mapping[str, python.Module], settings: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """package_dir of every kind of settings: name -> folders ("" is the root of all)."""
    found: dict[str, list[str]] = {}
    for path, module in scripts.items():
        for name, folder in extensions.mapping(module, "setup", "package_dir").items():
            found.setdefault(name, []).append(_under(path.rpartition("/")[0], folder.strip("./")))
    table = lookup(settings, "pyproject", "tool", "setuptools", "package-dir")
    for name, folder in table.items() if isinstance(table, Mapping) else ():
        found.setdefault(str(name), []).append(str(folder).strip("./"))
    text = lookup(settings, "cfg", "options", "package_dir") or ""
    for line in text.splitlines():
        name, equals, folder = line.partition("=")
        if equals:
            found.setdefault(name.strip(), []).append(folder.strip().strip("./"))
    wheel = lookup(settings, "pyproject", "tool", "hatch", "build", "targets", "wheel", "packages")
    for entry in wheel if isinstance(wheel, list) else ():
        found.setdefault(str(entry).rpartition("/")[2], []).append(str(entry).strip("./"))
    return {name: tuple(folders) for name, folders in found.items()}


def _mapped(mapped: Mapping[str, tuple[str, ...]], own: Iterable[SourceFile]) -> Iterable[Package]:
    """Packages whose folder the settings name."""
    paths = [f.path for f in own]
    for name, folders in mapped.items():
        for folder in folders:
            real = any(p.startswith(f"{folder}/") for p in paths)
            if name and "." not in name and folder and real:
                yield Package(name, folder)


def _any_below(root: str, found: Iterable[str]) -> bool:
    return any(path.startswith(f"{root}/" if root else "") for path in found)


def _in_namespaces(root: str, folders: Iterable[str]) -> Iterable[Package]:
    """The outermost packages of namespaces in a folder."""
    start = f"{root}/" if root else ""
    inside = [f for f in folders if f.startswith(start)]
    for folder in inside:
        names = folder.removeprefix(start).split("/")
        outer = any(folder.startswith(f"{other}/") for other in inside)
        if not outer and all(n.isidentifier() and not _NOT_PACKAGES.fullmatch(n) for n in names):
            yield Package(".".join(names), folder)


def _is_stated(
    name: str,
    distribution: str | None,
    scripts: Mapping[str, python.Module],
    settings: Mapping[str, Any],
) -> bool:
    """Whether the project says that it installs a package of a namespace: by its own name, or by
    the patterns of setuptools' finder. A project's root holds other folders with packages, too."""
    included = lookup(settings, "pyproject", "tool", "setuptools", "packages", "find", "include")
    patterns = [p for p in included if isinstance(p, str)] if isinstance(included, list) else []
    for module in scripts.values():
        for function, call in module.calls():
            if function == "setuptools.find_namespace_packages":
                lists = [k.value for k in call.keywords if k.arg == "include"]
                nodes = [node for value in lists for node in ast.walk(value)]
                constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
                patterns += [value for value in constants if isinstance(value, str)]
    stated = any(p[:1] not in ("*", "") and fnmatchcase(name, p) for p in patterns)
    return stated or name.replace(".", "_").lower() == _plain(distribution)


def _plain(distribution: str | None) -> str:
    return re.sub(r"[-_.]+", "_", distribution or "").lower()


def _namespace(
    stated: Iterable[Extension],
    own: Iterable[SourceFile],
    found: Mapping[str, Package],
    roots: Iterable[str],
) -> Iterable[Package]:
    """Folders without __init__.py that an extension is placed in (`ops._C`)."""
    names = {p.name for p in found.values()}
    paths = [f.path for f in own]
    for extension in stated:
        top, dot, _ = extension.name.partition(".")
        if not dot or top in names:
            continue
        for root in roots:
            folder = _under(root, top)
            if any(path.startswith(f"{folder}/") for path in paths):
                yield Package(top, folder)
                break


def _rank(
    package: Package,
    own: Iterable[SourceFile],
    stated: Iterable[Extension],
    distribution: str | None,
) -> tuple[bool, bool, int, int, str]:
    """Named like the distribution, then holding an extension, then near the root, then large."""
    named = package.name.lower().replace(".", "_") == _plain(distribution)
    holds = any(e.name.split(".")[0] == package.name and "." in e.name for e in stated)
    size = sum(f.size for f in own if f.path.startswith(package.path + "/"))
    return not named, not holds, package.path.count("/"), -size, package.path
