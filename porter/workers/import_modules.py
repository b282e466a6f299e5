"""Import modules one after the other and say how each went: run by the framework's interpreter.

Arguments: the framework's prelude, then entries `name` or `name=path of a shared library`, or
`name==path` of one that is to be loaded without the package it is in. After each entry one JSON
line; the process may die of one (an undefined symbol can abort it), so the caller starts it again
with the rest.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback

# What Python says of a library that registers operators only, and is no Python module.
NO_MODULE = "dynamic module does not define"


def load(name: str, path: str) -> str:
    """Import a module; a library without a module in it is loaded for its operators."""
    if not path.startswith("="):
        try:
            importlib.import_module(name)
            return "imported"
        except ImportError as error:
            if not path or NO_MODULE not in str(error):
                raise
    import torch

    torch.ops.load_library(path.removeprefix("="))
    return "loaded"


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the modules print must not be taken for a result
    exec(sys.argv[1], {})
    import torch  # noqa: F401  extensions find the framework's libraries through it

    for entry in sys.argv[2:]:
        name, _, path = entry.partition("=")
        try:
            result = {"name": name, "how": load(name, path)}
        except BaseException as error:
            told = traceback.format_exception(error)
            result = {
                "name": name,
                "error": f"{type(error).__name__}: {error}",
                "trace": "".join(told)[-4000:],
            }
        out.write(json.dumps(result) + "\n")
        out.flush()
    out.flush()
    os._exit(0)  # some frameworks abort while they are torn down


if __name__ == "__main__":
    main()
