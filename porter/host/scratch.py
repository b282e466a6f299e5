"""Folders below PORTER_HOME that last as long as one piece of work; of a killed one they are
swept by the next command."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.host import locks
from porter.host.home import porter_home

LOCKS = "locks"  # lists the locks that git takes in a repository of the user's
SETTLED = 1.0  # seconds; git holds a lock on a branch for milliseconds


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """An empty folder, for as long as the block runs. Raises EnvironmentFailed."""
    while True:
        path = _home() / secrets.token_hex(6)
        try:
            path.mkdir(parents=True)
        except OSError as error:
            raise EnvironmentFailed(
                f"cannot make {path}: {error.strerror}",
                hint="set PORTER_HOME to a writable folder",
            ) from error
        with locks.alone(path) as held:
            if not held:  # taken for left over before it was held
                continue
            try:
                yield path
            finally:
                _remove(path)
            return


def discard(path: Path) -> None:
    """Delete a folder of porter's, so that a kill leaves it whole or out of sight."""
    with folder() as aside, contextlib.suppress(FileNotFoundError):
        path.rename(aside / path.name)


def expect(aside: Path, locks: Iterable[Path]) -> None:
    """Write down which locks git is about to take, so that those which its death leaves go, too."""
    (aside / LOCKS).write_text("\0".join(map(str, locks)), errors="surrogateescape")


def sweep() -> None:
    """Remove what killed processes left here, and the locks of git that died with them."""
    for path in _home().glob("*"):
        with locks.alone(path, wait=False) as held:
            if held:
                _remove(path)


def _home() -> Path:
    return porter_home() / "scratch"


def _remove(path: Path) -> None:
    _unlock(path / LOCKS)
    shutil.rmtree(path, ignore_errors=True)
    if path.exists():  # a folder in it was copied as read-only
        for at, names, _ in os.walk(path):
            for inner in (Path(at), *(Path(at, name) for name in names)):
                if not inner.is_symlink():
                    inner.chmod(stat.S_IRWXU)
        shutil.rmtree(path, ignore_errors=True)


def _unlock(listed: Path) -> None:
    """Remove the locks listed, but for older ones, and those of a git that is at work there."""
    try:
        began = listed.stat().st_mtime
        locks = [Path(n) for n in listed.read_text(errors="surrogateescape").split("\0") if n]
    except OSError:
        return
    for lock in locks:
        with contextlib.suppress(OSError):
            taken = lock.stat()
            if taken.st_mtime < began:
                continue
            time.sleep(max(0.0, min(SETTLED, taken.st_mtime + SETTLED - time.time())))
            if lock.stat().st_ino == taken.st_ino and not _is_at_work(lock):
                lock.unlink()


def _is_at_work(lock: Path) -> bool:
    """Whether a living git runs in the repository of a lock."""
    repository = next((p for p in lock.parents if (p / "HEAD").is_file()), lock.parent)
    top = repository.parent if repository.name == ".git" else repository
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "comm").read_text().startswith("git"):
                place = (process / "cwd").resolve()
                said = (process / "cmdline").read_bytes().decode(errors="replace")
                if place.is_relative_to(top) or str(top) in said:
                    return True
    return False
