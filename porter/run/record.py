"""The one record of a run: every stage writes to it, reports read it, a killed run resumes."""

from __future__ import annotations

import dataclasses
import json
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import porter
from porter.errors import EnvironmentFailed, UsageError
from porter.host import files
from porter.host.home import porter_home
from porter.model import (
    BuildResult,
    Change,
    Crash,
    DeviceVerdict,
    Difference,
    Finding,
    Mention,
    Missing,
    ParityResult,
    ProjectFacts,
    Residue,
    Skipped,
    Stage,
    Style,
    SuiteComparison,
    SuiteResult,
    UnitResult,
)

if TYPE_CHECKING:
    from cattrs.preconf.json import JsonConverter


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """Where the tree came from."""

    written: str  # as the user wrote it
    identity: str  # the same for every spelling of one source
    kind: str
    location: str = ""  # URL, absolute path or name of a distribution; none with secrets
    commit: str | None = None
    sha256: str | None = None  # of a downloaded archive
    subdir: str | None = None
    version: str | None = None  # of a distribution
    head: str = ""  # the commit of the work tree that patches stand on
    digest: str = ""  # of the tree's content
    dirty: tuple[str, ...] = ()  # paths with uncommitted changes, taken as they were


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchRecord:
    """The patch as written: files relative to the run's folder."""

    path: str
    series: tuple[str, ...] = ()
    files: int = 0
    added: int = 0
    removed: int = 0
    changes: tuple[tuple[str, tuple[Change, ...]], ...] = ()  # path -> why


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """All that is known of one run; empty parts belong to stages that did not run."""

    id: str
    porter_version: str
    created: float  # seconds since the epoch
    cwd: str
    source: SourceRecord
    target: str | None = None
    target_version: str | None = None
    style: Style = Style.DUAL
    route: str | None = None  # of operators of Ascend NPUs, where another one was asked for
    asked: str = ""  # what else the user chose for `porter port`: another choice is another run
    pythons: dict[str, str] = field(default_factory=dict)  # own interpreters, by framework
    isolation: str = (
        ""  # of the code of the repository, where some was run: see porter.host.process
    )
    prepare: tuple[str, ...] = ()  # the command that is run in a tree before it is built
    stages: tuple[Stage, ...] = ()
    facts: ProjectFacts | None = None
    files: int = 0
    skipped: tuple[Skipped, ...] = ()
    crashes: tuple[Crash, ...] = ()
    findings: tuple[Finding, ...] = ()
    open: tuple[Finding, ...] = ()  # findings that migrate left for a person
    missing: tuple[Missing, ...] = ()
    differences: tuple[Difference, ...] = ()  # by place, of the tree as it came
    ascend: tuple[Finding, ...] = ()  # in code for Ascend NPUs, whatever the target
    documents: tuple[Mention, ...] = ()  # what they show of torch that needs more there
    present: tuple[str, ...] = ()  # C++ names of torch in use that the target has
    residue: tuple[Residue, ...] = ()
    patch: PatchRecord | None = None
    units: tuple[UnitResult, ...] = ()  # the patched C++ units against the target's headers
    cuda_units: tuple[UnitResult, ...] = ()  # as migrate checked them: nothing is linked or run
    builds: tuple[BuildResult, ...] = ()
    suites: tuple[SuiteResult, ...] = ()
    comparison: SuiteComparison | None = None
    parity: tuple[ParityResult, ...] = ()
    verdicts: tuple[DeviceVerdict, ...] = ()
    overall: DeviceVerdict | None = None
    notes: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()  # those of them that the migration made
    shown: tuple[str, ...] = ()  # pieces that tests lost in this run asked for

    def stage(self, name: str) -> Stage | None:
        return next((stage for stage in self.stages if stage.name == name), None)

    def with_stage(self, stage: Stage) -> RunRecord:
        """This record with one stage put in the place of its earlier result."""
        rest = tuple(s for s in self.stages if s.name != stage.name)
        return dataclasses.replace(self, stages=(*rest, stage))


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
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def patch(self) -> Path:
        return self.folder / "patch"

    @property
    def applied(self) -> Path:
        """Says which branches the patch was put on."""
        return self.folder / "applied"

    def load(self) -> RunRecord:
        """Raises EnvironmentFailed when the record is damaged."""
        path = self.folder / "record.json"
        try:
            return _converter().loads(path.read_bytes(), RunRecord)
        except Exception as error:  # any damage: cut short, older layout, edited by hand
            raise EnvironmentFailed(
                f"the record of run {self.folder.name} cannot be read: {path}",
                hint="start again with `porter analyze SOURCE`",
            ) from error

    def save(self, record: RunRecord) -> RunRecord:
        """Write the record atomically."""
        files.replace(self.folder / "record.json", _converter().dumps(record))
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
            hint="set PORTER_HOME to a folder that can be written",
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
    index = {"identity": source.identity, "cwd": record.cwd, "created": record.created}
    files.replace(run.folder / "index.json", json.dumps(index))
    return record


def find(run_id: str) -> Run:
    """The run of an id or its unambiguous beginning. Raises UsageError."""
    found = sorted(_runs().glob(f"{run_id}*/record.json"))
    if len(found) != 1:
        problem = "is not unique" if found else "does not exist"
        raise UsageError(f"run {run_id!r} {problem}", hint="`porter runs` lists the runs")
    return Run(found[0].parent)


def latest(identity: str | None, cwd: Path, but: Run | None = None) -> Run | None:
    """The newest of these runs but for one."""
    return next((run for run in runs_of(identity, cwd) if run != but), None)


def runs_of(identity: str | None, cwd: Path) -> Iterator[Run]:
    """The runs of a source, newest first; without one, those whose source holds `cwd`, lies in it,
    or that were started from it."""
    for run, index in reversed(_index()):
        if index["identity"] == identity if identity is not None else _concerns(index, cwd):
            yield run


def all_runs() -> tuple[Run, ...]:
    """Every run, oldest first."""
    return tuple(run for run, _ in _index())


def _runs() -> Path:
    return porter_home() / "runs"


def _index() -> list[tuple[Run, dict[str, str]]]:
    found = []
    for path in _runs().glob("*/index.json"):
        try:
            found.append((Run(path.parent), json.loads(path.read_text())))
        except (OSError, ValueError):  # deleted meanwhile, or damaged: no run to continue
            continue
    found.sort(key=lambda item: item[1]["created"])
    return found


def _concerns(index: dict[str, str], cwd: Path) -> bool:
    if index["cwd"] == str(cwd):
        return True
    source = Path(index["identity"].removeprefix("path:").partition("#")[0])
    return source.is_absolute() and (cwd.is_relative_to(source) or source.parent == cwd)


def _converter() -> JsonConverter:
    from cattrs.preconf.json import make_converter

    return make_converter()
