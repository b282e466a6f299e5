"""Keep what was read from porter's own data files in a form that loads at once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from porter.host import files
from porter.host.home import PACKAGE, porter_home, rules_home

FOLDER = "compiled"
KEPT = 8  # forms of each kind: one for each checkout or version of porter in use
T = TypeVar("T")


def sweep() -> None:
    """Delete what killed processes were writing."""
    files.sweep(porter_home() / FOLDER)


def load(kind: str, source: Path, read: Callable[[], T]) -> T:
    """Return what `read` gives for a file or folder, from an earlier call where nothing changed.

    The key is size and time of each file of `source`, of porter's code and of its rules. Where
    no folder can be written, nothing is kept.
    """
    name = f"{kind}-{digest(source)}.pickle"
    for folder in _folders(source):
        with contextlib.suppress(Exception):  # none, or damaged: read again
            value: T = pickle.loads((folder / name).read_bytes())
            return value
    value = read()
    for folder in _folders(source):
        with contextlib.suppress(OSError):  # full, or read-only
            folder.mkdir(parents=True, exist_ok=True)
            files.replace(folder / name, pickle.dumps(value))
            older = sorted(folder.glob(f"{kind}-*.pickle"), key=lambda f: f.stat().st_mtime_ns)
            for file in older[:-KEPT]:
                file.unlink(missing_ok=True)
            break
    return value


def _folders(source: Path) -> Iterator[Path]:
    """Where to keep what was read: of porter's own files where Python keeps their compiled code,
    if it does; else in porter's home."""
    if _is_own(source) and not sys.dont_write_bytecode and __spec__ and __spec__.cached:
        yield Path(__spec__.cached).parent
    yield porter_home() / FOLDER


def _is_own(source: Path) -> bool:
    return any(source.is_relative_to(folder) for folder in (PACKAGE, rules_home()))


def digest(source: Path) -> str:
    """Of size and time of each file of `source`, of porter's code and of its rules."""
    own = "" if _is_own(source) else _states(source)
    return hashlib.sha256(f"{source}\n{own}{_state_of_porter()}".encode()).hexdigest()[:16]


@cache
def _state_of_porter() -> str:
    return _states(PACKAGE) + _states(rules_home())  # once, as what is loaded stays as it is


def _states(source: Path) -> str:
    """Names, sizes and times of the files of a folder, or of one file."""
    if source.is_file():
        return _state(str(source), source.stat())
    found: list[str] = []
    folders = [str(source)]
    while folders:
        with contextlib.suppress(FileNotFoundError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders += [entry.path] if entry.name not in ("__pycache__", "_rules") else []
                elif not entry.name.endswith(".pyc"):
                    found.append(_state(entry.path, entry.stat()))
    return "".join(sorted(found))


def _state(name: str, state: os.stat_result) -> str:
    return f"{name}\0{state.st_size}\0{state.st_mtime_ns}\n"
