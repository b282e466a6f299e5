"""Which code has torch's meanings: that of packages, tests and scripts that import this package.

Paddle's classes and functions are the same objects for all code of a process; what is changed in
them is for the code that asked for it. All other code, Paddle's own included, has Paddle's meaning.
"""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

from paddle.compat import proxy

from .put_off import _Later

PACKAGE = __name__.partition(".")[0]
# The names that pieces import from here. A unit that is vendored has them of its own.
_UNIT = os.path.dirname(os.path.abspath(__file__))
_NOTHING = object()
_given: list[Any] = []
_watchers: list[Callable[[], None]] = []  # called when code is found to be covered

_folders: set[str] = set()  # named by share()
_everywhere: list[bool] = []  # not empty: all packages that import torch
# Files of code, or modules, to _COVERED, _NEVER, or how many modules there were when they were not.
_files: dict[str, int] = {}
_COVERED, _NEVER = -1, -2
_FUNCTION, _WRAPPED = types.FunctionType, (classmethod, staticmethod)
_modules = sys.modules
_Covered = tuple[frozenset[str], frozenset[str]]  # folders and packages
_latest: list[_Covered] = []  # the table that was made last: what is covered stays so


class _Scope:
    """All code that is covered, in the tables that vendored units share, each with a scope."""

    def covers(self, frame: types.FrameType, user: str) -> bool:
        return covers(frame)


_OWN = _Scope()


def share(path: str) -> None:
    """Cover the code in the folder of a path, or in the folder that it is."""
    folder = os.path.abspath(path)
    _folders.add((folder if os.path.isdir(folder) else os.path.dirname(folder)) + os.sep)
    _files.clear()
    _table.cache_clear()


def cover_users_of_torch() -> None:
    """Cover every package, and every module outside of one, that imports torch."""
    _everywhere.append(True)
    _files.clear()
    _table.cache_clear()


def imports_torch(frame: types.FrameType) -> bool:
    """Whether a frame that imports something of torch, or asks about it, is covered by that."""
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    return package not in _others() and (bool(_everywhere) or _is_being_imported(frame, package))


def covers(frame: types.FrameType) -> bool:
    """Whether the code of a frame has torch's meanings."""
    code = frame.f_code.co_filename
    if code[0] == "<":  # text that is run: it is its module's
        code = frame.f_globals.get("__name__", code)
    known = _files.get(code)
    if known is None or known >= 0:
        return known != len(sys.modules) and _decided(frame, code)
    return known == _COVERED


def _for_code(homes: dict[Any, Any], frame: types.FrameType | None) -> Any:
    """What the homes have for the code of a frame, or for the caller of code that knows neither
    framework, as pytest's and Python's own."""
    while frame is not None:
        known = _files.get(frame.f_code.co_filename)  # as covers() does, without another call
        if known == _COVERED or (known != _NEVER and known != len(_modules) and covers(frame)):
            found = homes.get(_OWN, _NOTHING)
            if found is not _NOTHING:
                if type(found) is _Later:
                    found = homes[_OWN] = found.get_value()
                return found
        if len(homes) > 1 or _OWN not in homes:  # vendored units have theirs beside
            user = str(frame.f_globals.get("__name__")).partition(".")[0]
            for scope, value in homes.items():
                if scope is not _OWN and user != "paddle" and scope.covers(frame, user):
                    return value.get_value() if type(value).__name__ == "_Later" else value
        if known == _NEVER or _knows_frameworks(frame):
            break
        frame = frame.f_back
    return _NOTHING


def _for_asker(homes: dict[Any, Any], frame: types.FrameType) -> Any:
    """What the homes have for code that asks about torch, and may import it only then."""
    found = _for_code(homes, frame)
    return homes[_OWN] if found is _NOTHING and imports_torch(frame) else found


def _decided(frame: types.FrameType, code: str) -> bool:
    """The answer for a file, or for a module whose code is in none."""
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    if package in ("paddle", PACKAGE):
        _files[code] = _NEVER
        return False
    found = (
        frame.f_globals.get(PACKAGE) is sys.modules[PACKAGE]
        or any(_is_in(table, frame, code, package) for table in _latest)
        or _is_in(_table(len(sys.modules)), frame, code, package)
        # in no module: a build script that pip reads and runs
        or (
            bool(_everywhere) and "torch" in _imported(frame.f_globals) and package not in _others()
        )
    )
    if not found and _names_torch(frame) and _is_being_imported(frame, package):
        return package not in _others()  # as it will be, once it is imported
    _files[code] = _COVERED if found else len(sys.modules)
    for watch in _watchers if found else ():
        watch()
    return found


def _is_in(table: _Covered, frame: types.FrameType, code: str, package: str) -> bool:
    folders, packages = table
    if package in packages and _means_torch(frame.f_globals, package):
        return True
    return any(_below(code, folder) for folder in folders)


def _names_torch(frame: types.FrameType) -> bool:
    """Whether code imports torch: for its module, or as it runs."""
    code = frame.f_code  # whose names are those of the modules that it imports names of, too
    own = (*code.co_varnames, *code.co_cellvars, *code.co_names)
    return "torch" in _imported(frame.f_globals) or any(
        f"{name}.".startswith("torch.") for name in own
    )


def _means_torch(names: Mapping[str, Any], package: str) -> bool:
    """Whether a module of a covered package means torch's tensors: in one that has code for Paddle
    beside that for torch, as einops, only the modules that import torch."""
    if "torch" in _imported(names):
        return True
    below = package + "."
    all_of_it = [m for k, m in [*sys.modules.items()] if f"{k}.".startswith(below)]
    modules = [m for m in all_of_it if issubclass(type(m), types.ModuleType)]
    if any(vars(module).get(PACKAGE) is sys.modules[PACKAGE] for module in modules):  # ported
        return True
    return not any(_knows_paddle(module, len(vars(module))) for module in modules)


def _knows_frameworks(frame: types.FrameType) -> bool:
    """Whether a frame is of code for torch or for Paddle, which means one by itself."""
    package = str(frame.f_globals.get("__name__")).partition(".")[0]
    if package in sys.stdlib_module_names:
        return False
    known = _names_frameworks(package, len(_modules))
    return _imports_frameworks(frame.f_globals) if known is None else known


@functools.lru_cache(1024)
def _names_frameworks(package: str, _count: int) -> bool | None:
    """The same of a package; None where it has no module, as of text that is run."""
    if package in _others():
        return True
    below = f"{package}."
    found = [m for k, m in [*sys.modules.items()] if f"{k}.".startswith(below)]
    modules = [module for module in found if issubclass(type(module), types.ModuleType)]
    if not modules:
        return None
    return any(_imports_frameworks(vars(m)) or _knows_paddle(m, len(vars(m))) for m in modules)


def _imports_frameworks(names: Mapping[str, Any]) -> bool:
    return not {"torch", "paddle"}.isdisjoint(_imported(names))


@functools.lru_cache(4096)
def _knows_paddle(module: types.ModuleType, _size: int) -> bool:
    """Whether a function of a module, or a method of a class of it, names Paddle."""
    parts: list[Any] = []
    for value in [*vars(module).values()]:
        if isinstance(value, _FUNCTION | type) and value.__module__ == module.__name__:
            parts += vars(value).values() if isinstance(value, type) else (value,)
    functions = (each.__func__ if isinstance(each, _WRAPPED) else each for each in parts)
    return any("paddle" in f.__code__.co_names for f in functions if isinstance(f, _FUNCTION))


def _is_being_imported(frame: types.FrameType, package: str) -> bool:
    """Whether a package, whose code a frame has, is being imported by code that is covered, or by
    modules that such code is importing; or calls other code then, which reads its annotations."""
    importing = False
    above = frame.f_back
    while above is not None:
        name = str(above.f_globals.get("__name__")).partition(".")[0]
        if name == "importlib":
            importing = True
        elif name not in ("paddle", PACKAGE, package):
            if importing and covers(above):
                return True
            if importing and above.f_code.co_name != "<module>":
                return False
            if not importing and _knows_frameworks(above):
                return False
        above = above.f_back
    return False


@functools.lru_cache(4)
def _table(_modules: int) -> _Covered:
    """The folders and the packages that are covered, as of so many imported modules.

    Of a module that imports this package: its package, if it is in one; else the folder of its
    file, as of a conftest; but of a script, and of a module installed alone, the packages only that
    it imports for torch.
    """
    ours = sys.modules[PACKAGE]
    folders, packages = set(_folders), set()
    for name, module in [*sys.modules.items()]:
        known = getattr(module, "__dict__", {})
        if known.get(PACKAGE) is not ours:
            continue
        top = name.partition(".")[0]
        file = known.get("__file__")
        packages |= {top} | _needed_by(top)
        alone = top == name != "__main__" and "__path__" not in known
        if alone and isinstance(file, str):
            folder = os.path.dirname(os.path.abspath(file))
            if os.path.basename(folder) not in ("site-packages", "dist-packages"):
                folders.add(folder + os.sep)
    for folder in folders & _folders:
        packages |= _used_below(folder)
    if _everywhere:
        packages |= {
            name
            for name, modules in _by_package(len(sys.modules)).items()
            if any("torch" in _imported(names) for names in modules)
        } - _others()
    _latest[:] = [(frozenset(folders), frozenset(packages))]
    return _latest[0]


@functools.lru_cache(None)
def _below(file: str, folder: str) -> bool:
    """Whether a file is below a folder, and not installed there."""
    path = os.path.abspath(file)
    return path.startswith(folder) and "site-packages" not in path[len(folder) :].split(os.sep)


def _used_below(folder: str) -> set[str]:
    """The packages that use torch and that modules in a folder import."""
    tops: set[str] = set()
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__dict__", {}).get("__file__")
        if isinstance(file, str) and _below(file, folder):
            tops.add(name.partition(".")[0])
    return tops.union(*map(_needed_by, tops))


def _needed_by(package: str) -> set[str]:
    """The packages that import torch and that a package imports, or one of these; not those that
    Paddle gives no proxy."""
    others = _others()
    found: set[str] = set()
    ahead, modules = {package}, _by_package(len(sys.modules))
    while ahead:
        name = ahead.pop()
        imported = {of for names in modules.get(name, ()) for of in _imported(names)}
        if "torch" in imported or name == package:
            found.add(name)
            ahead |= imported - found - others
    return found - others - {package}


def _others() -> set[str]:
    """The packages that are never covered."""
    return {"paddle", "torch", PACKAGE, *getattr(proxy, "TORCH_PROXY_BLOCKED_MODULES", ())}


@functools.lru_cache(1)
def _by_package(_modules: int) -> dict[str, list[dict[str, Any]]]:
    """What the modules of each package have by which names, as of so many imported modules."""
    modules: dict[str, list[dict[str, Any]]] = {}
    for name, module in [*sys.modules.items()]:
        names = getattr(module, "__dict__", {})
        modules.setdefault(name.partition(".")[0], []).append(names)
        if names and names.get("__name__") != name:
            _of_modules[id(names)] = names
    return modules


# The names of modules that have another module's name, as Paddle's operators: by their identity.
_of_modules: dict[int, dict[str, Any]] = {}
# By the identity of a module's names: they, how many, those of None, and what they stand for.
_seen: dict[int, tuple[Mapping[str, Any], int, list[str], frozenset[str]]] = {}


def _imported(names: Mapping[str, Any]) -> frozenset[str]:
    """The packages that the names of a module stand for modules, functions or classes of.

    Kept until the module has more names or fewer, or one that was None, as a place is kept for what
    is imported later. By their types: an object can say that it is a module, as the libraries of
    cffi do.
    """
    known = _seen.get(id(names))
    same = known and known[0] is names and known[1] == len(names)
    if known and same and all(names.get(name) is None for name in known[2]):
        return known[3]
    items = [*names.items()]
    found = frozenset(filter(None, map(_package_of, (value for _, value in items))))
    owner = sys.modules.get(str(names.get("__name__")))
    is_of_module = getattr(owner, "__dict__", None) is names or id(names) in _of_modules
    if is_of_module:  # text that is run has names of its own each time
        empty = [name for name, value in items if value is None]
        _seen[id(names)] = names, len(items), empty, found
    return found


def _package_of(value: object) -> str:
    if issubclass(type(value), types.ModuleType):
        # By its own names: a module that loads on first use would begin to.
        own = types.ModuleType.__getattribute__(value, "__dict__")
        return str(own.get("__name__", "")).partition(".")[0]
    if isinstance(value, types.FunctionType | type):
        return str(getattr(value, "__module__", "")).partition(".")[0]
    return ""
