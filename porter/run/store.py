"""The runs on disk: a folder each, with its record; an index finds those that a folder concerns."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import porter
from porter.errors import EnvironmentFailed, UsageError
from porter.host import files
from porter.host.home import FLEET, RUNS, porter_home
from porter.model import Divergence
from porter.run.record import VERSION, RunRecord, SourceRecord, converter

DIVERGENCE = "divergence.json"


@dataclass(frozen=True, slots=True)
class Run:
    """A run's folder: `base/` as it came, `tree/` with the patch, logs, record."""

    folder: Path

    @property
    def base(self) -> Path:
        return self.folder / "base"

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def fixed(self) -> Path:
        """The tree with fixes of what no framework of today takes, where it was built."""
        return self.folder / "fixed"

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def patch(self) -> Path:
        return self.folder / "patch"

    @property
    def page(self) -> Path:
        """The report as HTML."""
        return self.folder / "report.html"

    @property
    def divergences(self) -> Path:
        """A folder for each case or test whose operations were recorded."""
        return self.folder / "diverge"

    def load_divergences(self) -> list[Divergence]:
        """Return what was found in them since the patch was made."""
        patch = self.patch / "port.patch"
        made = patch.stat().st_mtime if patch.exists() else 0.0
        kept = sorted(self.divergences.glob(f"*/{DIVERGENCE}"))
        found = (files.load(path, Divergence) for path in kept if path.stat().st_mtime >= made)
        return [one for one in found if one is not None]

    @property
    def applied(self) -> Path:
        """Says which branches the patch was put on."""
        return self.folder / "applied"

    def load(self) -> RunRecord:
        """Raises EnvironmentFailed when the record is damaged."""
        path = self.folder / "record.json"
        try:
            record = converter().loads(path.read_bytes(), RunRecord)
            if record.version != VERSION:
                raise ValueError(f"version {record.version} of the record")
            return record
        except Exception as error:  # any damage: cut short, of another version, edited by hand
            raise EnvironmentFailed(
                f"the record of run {self.folder.name} cannot be read: {path}",
                hint="if another version of porter wrote it, start again: `porter analyze SOURCE`",
            ) from error

    def save(self, record: RunRecord) -> RunRecord:
        """Write the record atomically."""
        files.replace(self.folder / "record.json", converter().dumps(record))
        return record


def create(aside: Path | None = None) -> Run:
    """A new, empty run folder; in `aside` until it is published.

    Raises EnvironmentFailed when it cannot be made.
    """
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
    folder = (aside or _runs()) / name
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise EnvironmentFailed(
            f"cannot make {folder}: {error.strerror}",
            hint="set PORTER_HOME to a writable folder",
        ) from error
    return Run(folder)


def publish(run: Run) -> Run:
    """List a run that has its source and record: before, there is none."""
    _runs().mkdir(parents=True, exist_ok=True)
    return Run(run.folder.rename(_runs() / run.folder.name))


def begin(run: Run, source: SourceRecord) -> RunRecord:
    """The first record of a run, and its line in the index, by which later commands find it."""
    record = RunRecord(
        id=run.folder.name,
        porter_version=porter.__version__,
        created=time.time(),
        cwd=str(Path.cwd()),
        source=source,
    )
    run.save(record)
    _list(run, _Entry(source.identity, record.cwd, record.created))
    return record


def renew(run: Run) -> None:
    """Make a run the newest of all, where it can be written."""
    path = run.folder / "index.json"
    with contextlib.suppress(OSError):
        entry = converter().loads(path.read_bytes(), _Entry)
        _list(run, replace(entry, created=time.time()))


def _list(run: Run, entry: _Entry) -> None:
    files.replace(run.folder / "index.json", converter().dumps(entry))


def find(run_id: str) -> Run:
    """The run of an id or its unambiguous beginning. Raises UsageError."""
    found = [path for folder in _folders() for path in folder.glob(f"{run_id}*/record.json")]
    if len(found) != 1:
        problem = "is not unique" if found else "does not exist"
        raise UsageError(f"run {run_id!r} {problem}", hint="`porter runs` lists the runs")
    return Run(found[0].parent)


def runs_of(identity: str | None, cwd: Path) -> Iterator[Run]:
    """The runs of a source, newest first; without one, those whose source holds `cwd`, or that
    were started from it."""
    for run, entry in reversed(_index()):
        if entry.identity == identity if identity is not None else entry.concerns(cwd):
            yield run


def all_runs() -> tuple[Run, ...]:
    """Every run, oldest first."""
    return tuple(run for run, _ in _index())


def list_runs() -> list[tuple[str, str]]:
    """The name of every run with what its source is, oldest first; no record is read."""
    return [(run.folder.name, entry.identity) for run, entry in _index()]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a run is found by, without reading its record."""

    identity: str
    cwd: str
    created: float

    def concerns(self, cwd: Path) -> bool:
        if self.cwd == str(cwd):
            return True
        source = Path(self.identity.removeprefix("path:").partition("#")[0])
        return source.is_absolute() and cwd.is_relative_to(source)


def _runs() -> Path:
    """The folder of new runs."""
    return Path(os.environ.get(RUNS) or porter_home() / "runs")


def _folders() -> list[Path]:
    """The folders of runs; without one that was chosen, those of fleets, too."""
    fleets = [] if os.environ.get(RUNS) else (porter_home() / FLEET).glob("*/runs")
    return [_runs(), *fleets]


def _index() -> list[tuple[Run, _Entry]]:
    found = []
    for path in (path for folder in _folders() for path in folder.glob("*/index.json")):
        try:
            found.append((Run(path.parent), converter().loads(path.read_bytes(), _Entry)))
        except Exception:  # deleted meanwhile, or damaged: no run to continue
            continue
    found.sort(key=lambda item: item[1].created)
    return found
