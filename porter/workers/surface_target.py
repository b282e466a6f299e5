"""Ask a target's torch proxy for names: run by the target's interpreter.

argv: file with {"names": {name: kind}} and what surface_probes.enable takes, file to write.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import json
import os
import re
import sys
import types
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .surface_probes import enable
    from .surface_torch import kind_of, signature
else:  # beside this file, which is no package
    from surface_probes import enable
    from surface_torch import kind_of, signature


# What a compiled class lacks in a CPU build may be there in a GPU build.
DEVICE_NAME = re.compile(r"cuda|stream|pin_|pinned|ipc|cudnn|graph|event")
MISSING, PRESENT, DIFFERENT = "missing", "present", "different"
UNKNOWN = "gpu-only or unknown"


SELF = re.compile(r"^\s+self\.(\w+)(?:\s*:[^=\n]+)?\s*=[^=]", re.MULTILINE)


class Absent(Exception):
    pass


class Instance:
    """An attribute that a class of Python gives its objects while making them."""


@functools.cache
def instance_attributes(owner: type) -> frozenset[str]:
    try:
        return frozenset(SELF.findall(inspect.getsource(owner)))
    except (TypeError, OSError):
        return frozenset()


def resolve(name: str, cache: dict[str, Any]) -> Any:
    """The proxy's value for a dotted name, as an import followed by attributes would find it."""
    if name in cache:
        return cache[name]
    prefix, _, last = name.rpartition(".")
    if not prefix:
        value = importlib.import_module(name)
    else:
        parent = resolve(prefix, cache)
        value = child(parent, prefix, last)
    cache[name] = value
    return value


def child(parent: Any, prefix: str, last: str) -> Any:
    if isinstance(parent, Absent):
        return parent
    try:
        value = getattr(parent, last)
        if isinstance(parent, types.ModuleType) and isinstance(value, types.ModuleType):
            with contextlib.suppress(ImportError):  # what is imported may not be the attribute
                return importlib.import_module(f"{prefix}.{last}")
        return value
    except AttributeError as error:
        if isinstance(parent, type) and last in instance_attributes(parent):
            return Instance()
        found = Absent(str(error))
    except Exception as error:  # a property that needs a device
        return error
    if isinstance(parent, types.ModuleType):
        try:
            return importlib.import_module(f"{prefix}.{last}")
        except Exception as error:
            found = Absent(f"{type(error).__name__}: {error}")
    return found


def is_compiled(owner: object) -> bool:
    """Whether a class is made by C++, so that its members depend on how it was built."""
    if not isinstance(owner, type):
        return False
    try:
        inspect.getsource(owner)
    except (TypeError, OSError):
        return True
    return False


def reliable(value: Any) -> bool:
    """Whether the signature Python shows is all that the call accepts: nothing wraps it."""
    if isinstance(value, type):
        value = getattr(value, "__init__")  # noqa: B009 - of the class as it is
    value = getattr(value, "__func__", value)
    plain = isinstance(value, types.FunctionType) and not hasattr(value, "__wrapped__")
    return plain and "__signature__" not in vars(value)


def entry(name: str, kind: str, cache: dict[str, Any], instances: dict[str, Any]) -> list[Any]:
    """[kind, state, signature, whether it is all the call accepts, where seen]."""
    prefix, _, last = name.rpartition(".")
    owner = cache.get(prefix)
    if prefix in instances:
        present = hasattr(instances[prefix], last)
        return ["member", PRESENT if present else MISSING, "", False, "instance class"]
    value = resolve(name, cache)
    if isinstance(value, Instance):
        return ["attribute", PRESENT, "", False, "instance"]
    if isinstance(value, Absent):
        unsure = is_compiled(owner) and DEVICE_NAME.search(last)
        return [kind, UNKNOWN if unsure else MISSING, "", False, ""]
    found = kind_of(value)
    text = signature(value) if callable(value) and not isinstance(value, types.ModuleType) else ""
    where = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    home = where if isinstance(where, str) else ""
    return [found, PRESENT, text, bool(text) and reliable(value), home]


def instance_classes(specification: dict[str, str]) -> dict[str, Any]:
    """Classes whose instances stand for those of a torch class: {torch name: class}."""
    out = {}
    for name, path in specification.items():
        module, _, attribute = path.partition(":")
        try:
            out[name] = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError):
            continue
    return out


def main(asked: str, path: str) -> None:
    warnings.simplefilter("ignore")
    with open(asked, encoding="utf-8") as file:
        request = json.load(file)
    globals().update(enable(request))  # a package that completes it is for code that has it
    package = importlib.import_module(request["enable"].partition(":")[0])
    cache: dict[str, Any] = {}
    out: dict[str, list[Any]] = {}
    instances = instance_classes(request.get("instances", {}))
    for name, kind in sorted(request["names"].items()):
        out[name] = entry(name, kind, cache, instances)
    result = {
        "version": package.__version__,
        "build": "cuda" if package.device.is_compiled_with_cuda() else "cpu",
        "folder": os.path.dirname(str(package.__file__)),
        "names": out,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
