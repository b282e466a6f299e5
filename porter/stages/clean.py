"""Delete what earlier commands keep in porter's home: runs, caches, environments."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.build import packages
from porter.errors import EnvironmentFailed, UsageError
from porter.host import compiled, kept, locks, scratch, usage
from porter.host.home import porter_home
from porter.model import COMPAT
from porter.run import store
from porter.stages.session import worker

DAY = 24 * 60 * 60.0  # seconds
SHARED = ("objects", "emulated", "cuda-headers")  # by builds
CACHES = (compiled.FOLDER, kept.FOLDER, COMPAT, packages.FOLDER, *SHARED)
ENVIRONMENTS = ("envs",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What to delete. Runs that a process works on stay in any case."""

    every_run: bool = False  # else the newest of each source stays
    older_than: float = 0.0  # days; newer runs stay
    caches: bool = False
    environments: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A folder of porter's home that is deleted, or would be."""

    kind: str  # run, cache or environments
    path: Path
    source: str = ""  # of a run, as the user wrote it
    size: int  # bytes on the disk


def find(choice: Choice) -> tuple[Removal, ...]:
    """Return what a choice deletes, oldest run first.

    Raises UsageError where caches or environments are chosen while a run is being worked on.
    """
    runs = store.all_runs()
    busy = [run.folder.name for run in runs if worker(run) is not None]
    if busy and (choice.caches or choice.environments):
        message = f"run {busy[0]} is in progress and uses caches and environments"
        raise UsageError(message, hint="wait for it to finish, or stop it")
    found = [r for r in _runs(runs, choice) if r.path.name not in busy]
    for kind, names, chosen in (
        ("cache", CACHES, choice.caches),
        ("environments", ENVIRONMENTS, choice.environments),
    ):
        paths = (porter_home() / name for name in names if chosen)
        # A link was put there by the user: what it leads to is not porter's to delete.
        found += [_removal(kind, path) for path in paths if path.is_dir() and not path.is_symlink()]
    return tuple(found)


def remove(found: Removal) -> bool:
    """Delete what `find` gave; False where a process began to work on it in the meantime."""
    with locks.alone(found.path, wait=False) as held:
        if not held or (found.kind == "run" and worker(store.Run(found.path)) is not None):
            return False
        scratch.discard(found.path)
        return True


def _runs(runs: tuple[store.Run, ...], choice: Choice) -> Iterator[Removal]:
    newest: dict[str, store.Run] = {}
    known: list[tuple[store.Run, str, str, float]] = []
    for run in runs:  # oldest first
        identity, written, created = "", "", run.folder.stat().st_mtime
        with contextlib.suppress(EnvironmentFailed):  # a damaged record continues nothing
            record = run.load()
            identity, written, created = (
                record.source.identity,
                record.source.written,
                record.created,
            )
            newest[identity] = run
        known.append((run, identity, written, created))
    latest = time.time() - choice.older_than * DAY
    for run, identity, written, created in known:
        if created <= latest and (choice.every_run or newest.get(identity) != run):
            yield _removal("run", run.folder, written)


def _removal(kind: str, path: Path, source: str = "") -> Removal:
    return Removal(kind=kind, path=path, source=source, size=usage.disk([str(path)]))
