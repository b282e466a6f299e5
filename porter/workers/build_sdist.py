"""Build the sdist of the project in the working directory by its own backend (PEP 517), into the
folder that is the argument: run by the interpreter that has what the build needs.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys


def settings() -> dict[str, object]:
    """The table [build-system] of pyproject.toml; empty where there is none."""
    if not os.path.exists("pyproject.toml"):
        return {}
    try:
        import tomllib as toml
    except ImportError:  # before Python 3.11
        from pip._vendor import tomli as toml  # type: ignore[no-redef]
    with open("pyproject.toml", "rb") as file:
        found = toml.load(file).get("build-system", {})
    return dict(found)


def main() -> None:
    del sys.path[0]  # the folder of this file, whose modules are porter's
    system = settings()
    name = str(system.get("build-backend") or "setuptools.build_meta:__legacy__")
    inside = system.get("backend-path")
    sys.path[:0] = [os.path.abspath(path) for path in inside] if isinstance(inside, list) else []
    module, _, names = name.partition(":")
    parts = [part for part in names.split(".") if part]
    backend = functools.reduce(getattr, parts, importlib.import_module(module))
    os.makedirs(sys.argv[1], exist_ok=True)
    print(backend.build_sdist(sys.argv[1]))


if __name__ == "__main__":
    main()
