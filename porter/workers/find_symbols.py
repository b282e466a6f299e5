"""Say which libraries and symbols a process that has imported the framework does not find.

Arguments: the framework's prelude, a JSON file with for each library, by its path, `needed` (names
and paths) and `undefined` (symbols), and the file for the answer: `absent` (name -> why) and
`missing` of each. No library that is asked about is loaded, only what it needs.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any


def list_libraries() -> list[str]:
    """The paths of the libraries that this process has."""
    with open("/proc/self/maps") as file:
        paths = {line.split(maxsplit=5)[-1].strip() for line in file}
    return sorted(path for path in paths if ".so" in path and os.path.isfile(path))


def look(needed: list[str], undefined: list[str]) -> dict[str, Any]:
    scopes, absent = [ctypes.CDLL(None)], {}
    for name in list_libraries() if needed == ["*"] else needed:
        try:
            scopes.append(ctypes.CDLL(name))
        except OSError as error:
            absent[name] = str(error)
    missing = [s for s in undefined if not any(hasattr(scope, s) for scope in scopes)]
    return {"absent": absent, "missing": missing}


def main() -> None:
    exec(sys.argv[1], {})
    import torch  # noqa: F401  as the modules themselves do

    with open(sys.argv[2]) as file:
        asked = json.load(file)
    answer = {path: look(one["needed"], one["undefined"]) for path, one in asked.items()}
    with open(sys.argv[3], "w") as file:
        json.dump(answer, file)
    os._exit(0)  # some frameworks abort while they are torn down


if __name__ == "__main__":
    main()
