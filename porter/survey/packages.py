"""The import packages a project installs, from its build settings and its folders."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from porter.languages import python
from porter.model import UNIT, Extension, Language, Package, Role, SourceFile
from porter.survey import extensions

_NOT_PACKAGES = re.compile(
    r"tests?|testing|docs?|examples?|benchmarks?|bench|scripts?|tools?|demos?|build|dist|cmake"
)
_ROOTS = ("", "src", "python")
_IMPORTED = (Role.LIBRARY, Role.ENTRY)


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
    found = {p.path: p for p in _find_mapped(mapped, own)}
    for root in _roots(files, mapped, settings):
        for folder in sorted(folders):
            parent, _, name = folder.rpartition("/")
            stated_root = root in ("src", *mapped.get("", ()))
            likely = stated_root or not _NOT_PACKAGES.fullmatch(name)
            if parent == root and likely and name.isidentifier():
                found.setdefault(folder, Package(name, folder))
        if _any_below(root, found):
            continue
        spaces = [(package, bool(root)) for package in _find_in_namespaces(root, folders)]
        spaces += [(package, root == "src") for package in _find_without_init(root, folders, own)]
        for package, sure in spaces:
            if sure or _is_stated(package.name, distribution, scripts, settings):
                found.setdefault(package.path, package)
    for package in _namespace(stated, own, found, _roots(files, mapped, settings)):
        found.setdefault(package.path, package)
    if not found and not _projects(files):  # nothing says where they are
        found = {folder: Package(folder.rpartition("/")[2], folder) for folder in _alone(own)}
    return tuple(sorted(found.values(), key=lambda p: _rank(p, own, stated, distribution)))


def _alone(own: Iterable[SourceFile]) -> Iterable[str]:
    """The outermost packages, wherever they are, that are no tests, examples or tools."""
    paths = [f.path.rpartition("/") for f in own if f.role in _IMPORTED]
    folders = sorted({folder for folder, _, name in paths if name == "__init__.py"})
    for folder in folders:
        parts = folder.split("/")
        outer = any("/".join(parts[:n]) in folders for n in range(1, len(parts)))
        usual = parts[-1].isidentifier() and not any(map(_NOT_PACKAGES.fullmatch, parts))
        if not outer and usual:
            yield folder


def first_modules(
    files: Iterable[SourceFile],
    naming: Collection[str],
    installed: Iterable[Package],
) -> tuple[str, ...]:
    """The files that are run first when what is installed and uses torch is imported.

    Of a package its __init__.py, of a namespace each module that uses torch, or the package in it
    that holds it. Where no package uses torch, the modules beside the build script. `naming` are
    the files that name torch.
    """
    files = list(files)
    own = [f.path for f in files if f.language is Language.PYTHON and f.role in _IMPORTED]
    own = [path for path in own if UNIT not in path]
    using = [path for path in own if path in naming and path.endswith(".py")]
    initial = {path for path in own if path.endswith("/__init__.py")}
    found: dict[str, None] = {}
    for package in installed:
        for path in using:
            if path.startswith(f"{package.path}/"):
                found[_outermost(path, package.path, initial)] = None
    if found:
        return tuple(found)
    roots = _projects(files)
    return tuple(path for path in using if path.rpartition("/")[0] in roots)


def _outermost(path: str, package: str, own: Collection[str]) -> str:
    """The __init__.py that is run first when a module in a package's folder is imported, or it."""
    folder = package
    for part in path.removeprefix(f"{package}/").split("/"):
        if f"{folder}/__init__.py" in own:
            return f"{folder}/__init__.py"
        folder = f"{folder}/{part}"
    return path


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
    projects = sorted({"", *_projects(files)}, key=len)
    roots = [_join_folder(p, r) for p in projects for r in _ROOTS]
    where = lookup(settings, "pyproject", "tool", "setuptools", "packages", "find", "where") or []
    roots += [str(w).strip("./") for w in where if isinstance(w, str)]
    cfg = lookup(settings, "cfg", "options.packages.find", "where")
    roots += [cfg.strip().strip("./")] if isinstance(cfg, str) else []
    return tuple(dict.fromkeys([*roots, *mapped.get("", ())]))


def _projects(files: Iterable[SourceFile]) -> set[str]:
    """The folders that projects are built in."""
    return {
        f.path.rpartition("/")[0]
        for f in files
        if f.role is Role.BUILD and f.path.rpartition("/")[2] in ("setup.py", "pyproject.toml")
    }


def _join_folder(folder: str, name: str) -> str:
    return "/".join(part for part in (folder, name) if part)


def _package_dirs(
    scripts: Mapping[str, python.Module], settings: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """package_dir of every kind of settings: name -> folders ("" is the root of all)."""
    found: dict[str, list[str]] = {}
    for path, module in scripts.items():
        for name, folder in extensions.mapping(module, "setup", "package_dir").items():
            written = folder.strip("./")
            # A script that is copied before it runs states paths from where that is.
            places = dict.fromkeys((_join_folder(path.rpartition("/")[0], written), written))
            found.setdefault(name, []).extend(places)
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


def _find_mapped(
    mapped: Mapping[str, tuple[str, ...]], own: Iterable[SourceFile]
) -> Iterable[Package]:
    """Packages whose folder the settings name."""
    paths = [f.path for f in own]
    for name, folders in mapped.items():
        for folder in folders:
            real = any(p.startswith(f"{folder}/") for p in paths)
            if name and "." not in name and folder and real:
                yield Package(name, folder)


def _any_below(root: str, found: Iterable[str]) -> bool:
    return any(path.startswith(f"{root}/" if root else "") for path in found)


def _find_in_namespaces(root: str, folders: Iterable[str]) -> Iterable[Package]:
    """The outermost packages of namespaces in a folder."""
    start = f"{root}/" if root else ""
    inside = [f for f in folders if f.startswith(start)]
    for folder in inside:
        names = folder.removeprefix(start).split("/")
        outer = any(folder.startswith(f"{other}/") for other in inside)
        if not outer and all(n.isidentifier() and not _NOT_PACKAGES.fullmatch(n) for n in names):
            yield Package(".".join(names), folder)


def _find_without_init(
    root: str, folders: Iterable[str], own: Iterable[SourceFile]
) -> Iterable[Package]:
    """The folders in one that have modules and no __init__.py at all."""
    start = f"{root}/" if root else ""
    inside = [f.path.removeprefix(start) for f in own if f.path.startswith(start)]
    for top in dict.fromkeys(path.partition("/")[0] for path in inside if "/" in path):
        whole = any(f"{folder}/".startswith(f"{start}{top}/") for folder in folders)
        if top.isidentifier() and not whole and not _NOT_PACKAGES.fullmatch(top):
            yield Package(top, f"{start}{top}")


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
            folder = _join_folder(root, top)
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
