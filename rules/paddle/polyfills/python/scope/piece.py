import functools
import os
import sys
import types
from typing import NamedTuple

from paddle.compat import proxy

_UNIT = os.path.dirname(os.path.abspath(__file__))
_HOME = _UNIT.removesuffix("_porter_compat").rstrip(os.sep) + os.sep
_NOTHING = object()
_given = []  # what has another meaning for the code of the package
_watchers = []  # called when code is found to be in a scope
_files: dict = {}  # that are covered, or never: none, as of a package only its code in use is
_COVERED, _NEVER = -1, -2


class _Scope(NamedTuple):
    """The code of a folder, that of the package installed from there, and of others it needs."""

    home: str
    package: str

    def covers(self, frame, user):
        """Whether it has the code of a frame, which is in the package `user`."""
        if _inside(self.home, frame.f_code.co_filename):
            return True
        if not self.package or user not in _needed_by(self.package, len(sys.modules)):
            return False
        return not _knows_paddle(user, len(sys.modules)) or "torch" in {*_imported_by(frame.f_globals)}


_OWN = _Scope(_HOME, __name__.partition(".")[0] if "._porter_compat" in __name__ else "")


def share(path):
    """Give the code in the folder of a path, as that of tests, what the code of the package has."""
    for scoped in _given:
        home = os.path.dirname(os.path.abspath(path)) + os.sep
        scoped.homes[_Scope(home, "")] = scoped.homes[_OWN]


def _for_code(homes, frame):
    """What the homes have for the code of a frame, or for the caller of code that knows neither
    framework, as pytest's and Python's own."""
    while frame is not None:
        user = str(frame.f_globals.get("__name__")).partition(".")[0]
        if user == "paddle":
            break
        for scope, value in homes.items():
            if scope.covers(frame, user):
                # of this unit, or of another one's that has the name too
                return value.get_value() if type(value).__name__ == "_Later" else value
        if user not in sys.stdlib_module_names and _knows_frameworks(frame, user):
            break
        frame = frame.f_back
    return _NOTHING


_for_asker = _for_code


@functools.lru_cache(None)
def _inside(home, file):
    """Whether a file is below a folder, or in a checkout of the package that is installed there, or
    installed from there."""
    file = os.path.abspath(file)
    inside = file.startswith(home) and file[len(home) :]
    if os.path.basename(home[:-1]) == "site-packages":  # of single modules, among all others
        return inside and os.sep not in inside
    if not inside:
        _, installed, rest = file.rpartition(f"{os.sep}site-packages{os.sep}")
        if "site-packages" in home:
            _, installed, rest = file.rpartition(f"{os.sep}{os.path.basename(home[:-1])}{os.sep}")
        inside = rest if installed and os.path.isfile(home + rest) else ""
    found = inside and not {"_porter_compat", "site-packages"} & set(inside.split(os.sep))
    for watch in _watchers if found else ():
        watch()
    return found


@functools.lru_cache(16)
def _needed_by(package, _):
    """The packages that import torch and that a package imports, or one of these; not those that
    Paddle gives no proxy, and not those with a unit of their own."""
    others = {"paddle", "torch", package, *getattr(proxy, "TORCH_PROXY_BLOCKED_MODULES", ())}
    found, ahead = set(), {package}
    while ahead:
        name = ahead.pop()
        modules = {k: m for k, m in [*sys.modules.items()] if k.partition(".")[0] == name}
        ported = name != package and any("_porter_compat" in key.split(".") for key in modules)
        imported = {of for module in modules.values() for of in _imported(module)}
        if "torch" in imported and not ported:
            found.add(name)
            ahead |= imported - found - others
    return found - others


@functools.lru_cache(16)
def _knows_paddle(package, _):
    """Whether a package has code for Paddle beside that for torch, as einops: of such a one, only
    the modules that import torch mean torch's tensors."""
    modules = [m for k, m in [*sys.modules.items()] if k.partition(".")[0] == package and issubclass(type(m), types.ModuleType)]
    return any("paddle" in code.co_names for module in modules for code in _codes_of(module))


def _knows_frameworks(frame, user):
    """Whether a frame is of code for torch or for Paddle, which means one by itself."""
    known = _names_frameworks(user, len(sys.modules))
    return not {"torch", "paddle"}.isdisjoint(_imported_by(frame.f_globals)) if known is None else known


@functools.lru_cache(256)
def _names_frameworks(package, count):
    """The same of a package; None where it has no module, as of text that is run."""
    modules = [m for k, m in [*sys.modules.items()] if k.partition(".")[0] == package]
    if not modules:
        return None
    return any({"torch", "paddle"} & {*_imported(m)} for m in modules) or _knows_paddle(package, count)


def _codes_of(module):
    """The code of the functions of a module, and of the methods of its classes."""
    parts = []
    for value in [*vars(module).values()]:
        if isinstance(value, (types.FunctionType, type)) and value.__module__ == module.__name__:
            parts += vars(value).values() if isinstance(value, type) else (value,)
    functions = (each.__func__ if isinstance(each, (classmethod, staticmethod)) else each for each in parts)
    return [each.__code__ for each in functions if isinstance(each, types.FunctionType)]


def _imported(module):
    return _imported_by(getattr(module, "__dict__", {}))


def _imported_by(names):
    """The packages that the namespace of a module has modules, functions or classes of."""
    for value in [*names.values()]:
        if issubclass(type(value), types.ModuleType):
            yield value.__name__.partition(".")[0]
        elif isinstance(value, (types.FunctionType, type)):
            yield str(getattr(value, "__module__", "")).partition(".")[0]
