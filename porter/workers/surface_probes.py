"""Run behaviour probes, each in a process of its own: run by the framework's interpreter.

argv: file with {"probes": [[name, code], ...]} and what `enable` takes, file to write.
A probe holds when its code leaves `holds` true; the answer is null then, else an object: empty, or
with what was "raised" and its "message", or with what "ended" the process.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import sys
import tempfile
import types
import warnings
from collections.abc import Iterator
from typing import Any

SECONDS = 20
LIMIT = 8000  # of a message: it has to go through a pipe


def enable(request: dict[str, Any]) -> dict[str, Any]:
    """Enable a framework's torch by {"enable": "module:function" or "", "completed": [folder,
    package] or absent}; return the globals of code that imports the package."""
    if request["enable"]:
        module, _, function = request["enable"].partition(":")
        getattr(importlib.import_module(module), function)()
    if "completed" not in request:
        return {"__name__": "probe"}
    folder, package = request["completed"]
    sys.path.insert(0, folder)
    return {"__name__": "probe", package: importlib.import_module(package)}


def ask(code: str, scope: dict[str, Any]) -> dict[str, str] | None:
    """None where the probe holds, else why not."""
    try:
        exec(code, scope)
    except BaseException as error:
        return {"raised": type(error).__name__, "message": str(error)[-LIMIT:]}
    return None if scope.get("holds") is True else {}


@contextlib.contextmanager
def as_module(code: str) -> Iterator[None]:
    """Have code in a module with a file: a package may read what the program's modules use."""
    module = sys.modules["probe"] = types.ModuleType("probe")
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        file.write(code)
        file.flush()
        module.__file__ = file.name
        yield


def ask_in_fork(code: str, scope: dict[str, Any]) -> dict[str, str] | None:
    """The same in a forked process, so that a crash or a hang costs this probe only."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(SECONDS)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.write(writing, json.dumps(ask(code, scope)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if not answer:
        signalled = os.WIFSIGNALED(status)
        return {"ended": f"by signal {os.WTERMSIG(status)}" if signalled else "itself"}
    found: dict[str, str] | None = json.loads(answer)
    return found


def main(asked: str, path: str) -> None:
    warnings.simplefilter("ignore")
    with open(asked, encoding="utf-8") as file:
        request = json.load(file)
    scope = enable(request)
    with contextlib.suppress(ImportError):
        importlib.import_module("torch")
    answers = {}
    for name, code in request["probes"]:
        with as_module(code):
            answers[name] = ask_in_fork(code, scope)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])
