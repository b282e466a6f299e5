"""Hold files and folders against other processes; the kernel lets go of a lock after a kill."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from porter.host.output import OnLine


@contextlib.contextmanager
def lock(folder: Path, on_line: OnLine = lambda line: None) -> Iterator[None]:
    """Hold the lock of a folder that one process at a time may make."""
    import fcntl

    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_line(f"waiting for another porter process that creates {folder.name}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def alone(folder: Path, wait: bool = True) -> Iterator[bool]:
    """Hold a folder against other processes. Gives whether it is held: not where it is gone, or,
    without `wait`, where another process holds it."""
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        held = os.path.samestat(os.fstat(handle), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        held = False
    try:
        yield held
    finally:
        os.close(handle)
