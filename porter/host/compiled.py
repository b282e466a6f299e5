"""Keep what was read from porter's own data files in a form that loads at once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from porter.host import files
from porter.host.home import PACKAGE, porter_home

FOLDER = "compiled"
KEPT = 8  # forms of each kind: one for each checkout or version of porter in use
T = TypeVar("T")


def sweep() -> None:
    """Delete what killed processes were writing."""
    files.sweep(porter_home() / FOLDER)


def load(kind: str, source: Path, read: Callable[[], T]) -> T:
    """Return what `read` gives for a file or folder, from an earlier call where nothing changed.

    The key is size and time of each file of `source` and of porter's code. Where porter's home
    cannot be written, nothing is kept.
    """
    folder = porter_home() / FOLDER
    path = folder / f"{kind}-{_digest(source)}.pickle"
    with contextlib.suppress(Exception):  # none, or damaged: read again
        value: T = pickle.loads(path.read_bytes())
        return value
    value = read()
    with contextlib.suppress(OSError):  # full, or read-only
        folder.mkdir(parents=True, exist_ok=True)
        files.replace(path, pickle.dumps(value))
        older = sorted(folder.glob(f"{kind}-*.pickle"), key=lambda file: file.stat().st_mtime_ns)
        for file in older[:-KEPT]:
            file.unlink(missing_ok=True)
    return value


def _digest(source: Path) -> str:
    digest = hashlib.sha256()
    for file in (*_files(source), *_files(PACKAGE)):
        state = file.stat()
        digest.update(f"{file}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def _files(source: Path) -> Iterator[Path]:
    if source.is_file():
        yield source
    for folder, inner, names in os.walk(source):
        inner[:] = sorted(set(inner) - {"__pycache__", "_rules"})
        yield from (Path(folder, name) for name in sorted(names) if not name.endswith(".pyc"))
