"""List the operators that importing modules brings: run by the framework's interpreter.

Arguments: the framework's prelude, the file for the answer, modules to import. The answer is JSON:
`imported`, `classes`, and `operators` with their `name`, `call` and, as `written`, their schema or
the first line of pybind11's text.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from types import ModuleType
from typing import Any

NATIVE = (".so", ".pyd", ".dylib")


def schemas(torch: Any) -> dict[str, dict[str, str]]:
    """The schemas that the dispatcher knows, by operator and overload."""
    found = {}
    for schema in getattr(getattr(torch, "_C", None), "_jit_get_all_schemas", list)():
        call = f"torch.ops.{schema.name.replace('::', '.')}"
        name = ".".join(filter(None, (call, schema.overload_name)))
        found[name] = {"name": name, "call": call, "written": str(schema)}
    return found


def list_bindings(module: ModuleType) -> tuple[list[dict[str, str]], list[str]]:
    """Functions and classes that pybind11 made for a module."""
    functions, classes = [], []
    for name, value in sorted(vars(module).items()):
        call = f"{module.__name__}:{name}"
        text = (getattr(value, "__doc__", None) or "").strip().splitlines()
        if isinstance(value, type):
            classes.append(call)
        elif callable(value) and text and text[0].startswith(f"{name}("):
            first = next(
                (line[3:] for line in text if line.startswith("1. ")), text[0]
            )  # overloads
            functions.append({"name": call, "call": call, "written": first})
    return functions, classes


def watch_namespaces(library: Any) -> set[str]:
    """The namespaces that torch's own modules are giving operators, as they are imported: kept up
    to date, without those that other code gives some to."""
    own: set[str] = set()
    others: set[str] = set()
    made = library.Library.__init__
    home = os.path.dirname(library.__file__) + os.sep
    tools = (library.__file__, os.path.join(home, "_library") + os.sep)

    def note(self: Any, ns: str, *args: Any, **kwargs: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename.startswith(tools):
            frame = frame.f_back
        (own if frame.f_code.co_filename.startswith(home) else others).add(ns)
        own.difference_update(others)
        made(self, ns, *args, **kwargs)

    library.Library.__init__ = note
    return own


def main() -> None:
    exec(sys.argv[1], {})
    import torch

    try:
        torchs = watch_namespaces(importlib.import_module("torch.library"))
    except (AttributeError, ImportError):  # no library of operators that Python defines
        torchs = set()
    before, imported, operators, classes = schemas(torch), [], [], []
    for name in sys.argv[3:]:
        try:
            module = importlib.import_module(name)
        except Exception:  # a library that registers operators only, and is no module
            continue
        imported.append(name)
        if (getattr(module, "__file__", None) or "").endswith(NATIVE):
            functions, types = list_bindings(module)
            operators += functions
            classes += types
    new = [one for name, one in sorted(schemas(torch).items()) if name not in before]
    operators += [one for one in new if one["call"].split(".")[2] not in torchs]
    with open(sys.argv[2], "w") as file:
        json.dump({"imported": imported, "operators": operators, "classes": classes}, file)
        file.flush()
    os._exit(0)  # some frameworks abort while they are torn down


if __name__ == "__main__":
    main()
