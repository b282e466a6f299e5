"""The record of a run: a section per stage, each computed from those above it.

Every result names by digest what it was computed from (`of`). A record drops each result that
names something which is no longer in it, whenever one is made: so no verdict, test or build
outlives the patch, the target or the interpreter that it is about.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_origin

from porter.model import (
    Accepted,
    Ascend,
    BuildResult,
    Crash,
    DeviceVerdict,
    Diagnostic,
    Difference,
    Finding,
    Form,
    Guess,
    InstalledCopy,
    LostTests,
    Mention,
    Missing,
    ParityResult,
    PatchRecord,
    ProjectFacts,
    Residue,
    Round,
    Scope,
    Skipped,
    Stage,
    SuiteComparison,
    SuiteResult,
    Tree,
    UnitResult,
    Unused,
)

if TYPE_CHECKING:
    from cattrs.preconf.json import JsonConverter


VERSION = 1  # of the record: another one where a field goes or means something else


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
    state: str = ""  # of the files that were copied; empty where it would not tell of changes
    dirty: tuple[str, ...] = ()  # paths with uncommitted changes, taken as they were
    notes: tuple[str, ...] = ()  # what of it could not be fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What a tree is, and what it needs for one version of a target."""

    of: tuple[str, ...] = field(default=(), compare=False)
    key: str = field(default="", compare=False)  # of all it depends on; empty: look again
    target: str | None = None
    target_version: str | None = None
    form: Form = field(default_factory=Form)
    scope: Scope = field(default_factory=Scope)
    facts: ProjectFacts | None = None
    files: int = 0
    skipped: tuple[Skipped, ...] = ()
    crashes: tuple[Crash, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: tuple[Missing, ...] = ()
    differences: tuple[Difference, ...] = ()  # by place, of the tree as it came
    guesses: tuple[Guess, ...] = ()  # a name each, most places first
    ascend: tuple[Finding, ...] = ()  # in code for Ascend NPUs, whatever the target
    documents: tuple[Mention, ...] = ()  # what they show of torch that needs more there
    present: tuple[str, ...] = ()  # C++ names of torch in use that the target has
    unused: tuple[Unused, ...] = ()  # comments that suppress nothing
    unused_accepted: tuple[Accepted, ...] = ()  # of the baseline, that no finding is like
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """What was changed; without a patch, a migration that was begun."""

    of: tuple[str, ...] = field(default=(), compare=False)
    route: str | None = None  # of operators of Ascend NPUs, where another one was requested
    reported_pieces: tuple[str, ...] = ()  # that tests lost with an earlier patch asked for
    rounds: tuple[Round, ...] = ()  # those patches, and what failed with each
    patch: PatchRecord | None = None
    open: tuple[Finding, ...] = ()  # findings left for a person
    residue: tuple[Residue, ...] = ()
    missing: tuple[Missing, ...] | None = None  # with answers, and with what the compiler missed
    skipped: tuple[Skipped, ...] = ()
    crashes: tuple[Crash, ...] = ()
    units: tuple[UnitResult, ...] = ()  # the patched C++ units against the target's headers
    cuda_units: tuple[UnitResult, ...] = ()  # as checked: nothing is linked or run
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What builds and tests amount to; `missing` and `residue` where a build told more of them."""

    of: tuple[str, ...] = field(default=(), compare=False)
    missing: tuple[Missing, ...] | None = None
    residue: tuple[Residue, ...] | None = None
    parity: tuple[ParityResult, ...] = ()
    unmodified_parity: tuple[ParityResult, ...] = ()  # the same cases, without the patch there
    comparison: SuiteComparison | None = None
    lost_tests: tuple[LostTests, ...] = ()  # of `comparison`, on the target, by cause
    lost_imports: Mapping[str, Diagnostic] = field(default_factory=dict)  # as of `overall`
    copies: tuple[InstalledCopy, ...] = ()
    unmodified: DeviceVerdict | None = None  # the tree as it came, on the device of `overall`
    verdicts: tuple[DeviceVerdict, ...] = ()
    overall: DeviceVerdict | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """All that is known of one run; the sections of stages that did not run are empty."""

    version: int = VERSION
    id: str
    porter_version: str
    created: float  # seconds since the epoch
    cwd: str
    source: SourceRecord
    asked: str = ""  # what else the user chose for `porter port`: another choice is another run
    isolation: str = ""  # of the repository's code, where some was run: porter.host.process
    pythons: dict[str, str] = field(default_factory=dict)  # own interpreters, by framework
    prepare: tuple[str, ...] = ()  # the command that is run in a tree before it is built
    analysis: Analysis = field(default_factory=Analysis)
    migration: Migration = field(default_factory=Migration)
    builds: tuple[BuildResult, ...] = ()
    suites: tuple[SuiteResult, ...] = ()
    verification: Verification = field(default_factory=Verification)
    stages: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        for name, value in _current(self).items():
            object.__setattr__(self, name, value)

    @property
    def facts(self) -> ProjectFacts | None:
        return self.analysis.facts

    @property
    def kernels(self) -> tuple[str, ...]:
        return self.facts.kernels if self.facts else ()

    @property
    def ascend(self) -> Ascend | None:
        """What is for Ascend NPUs; None where nothing is."""
        return self.facts.ascend if self.facts else None

    @property
    def target(self) -> str | None:
        return self.analysis.target

    @property
    def target_version(self) -> str | None:
        return self.analysis.target_version

    @property
    def form(self) -> Form:
        return self.analysis.form

    @property
    def missing(self) -> tuple[Missing, ...]:
        """The names that the target lacks, as the last stage that judged them left them."""
        for found in (self.verification.missing, self.migration.missing):
            if found is not None:
                return found
        return self.analysis.missing

    @property
    def residue(self) -> tuple[Residue, ...]:
        """What remains of torch, as the last stage that judged it left it."""
        found = self.verification.residue
        return self.migration.residue if found is None else found

    def is_shipped(self, found: Finding | Residue) -> bool:
        """Whether it counts: what stands in scripts, examples and notebooks lowers no verdict."""
        return self.facts is None or found.path not in self.facts.scripts

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        found = {*self.analysis.skipped, *self.migration.skipped}
        return tuple(sorted(found, key=lambda s: s.path))

    @property
    def crashes(self) -> tuple[Crash, ...]:
        return _distinct(self.analysis.crashes, self.migration.crashes)

    @property
    def notes(self) -> tuple[str, ...]:
        sections = (self.source, self.analysis, self.migration, self.verification)
        return _distinct(*(section.notes for section in sections))

    def stage(self, name: str) -> Stage | None:
        return next((stage for stage in self.stages if stage.name == name), None)

    def replace_stage(self, stage: Stage) -> RunRecord:
        """This record with one stage put in the place of its earlier result."""
        rest = tuple(s for s in self.stages if s.name != stage.name)
        return dataclasses.replace(self, stages=(*rest, dataclasses.replace(stage, of=())))

    def update_verification(self, **changes: Any) -> RunRecord:
        """This record with fields of its verification computed from the results it has now."""
        verification = dataclasses.replace(self.verification, of=(), **changes)
        return dataclasses.replace(self, verification=verification)


# ------------------------------------------------------------------ what holds


class _Result(Protocol):
    """What names the digests of what it was computed from; none yet for a new one."""

    @property
    def of(self) -> tuple[str, ...]: ...


R = TypeVar("R", bound=_Result)
T = TypeVar("T")


def _current(record: RunRecord) -> dict[str, Any]:
    """The results of a record that hold, new ones with the digests of what they stand on."""
    source = record.source.digest or record.source.identity
    analysis = _section(record.analysis, source)
    migration = _section(record.migration, digest(analysis))
    trees = {Tree.UNPATCHED: source, Tree.UNMODIFIED: source, Tree.PATCHED: digest(migration)}
    builds: list[BuildResult] = []
    for build in record.builds:
        python = f"{build.cell.environment} {record.pythons.get(build.cell.environment, '')}"
        builds += _keep_current([build], trees[build.cell.tree], python, " ".join(record.prepare))
    built = {build.cell: digest(build) for build in builds}
    suites: list[SuiteResult] = []
    for suite in record.suites:
        suites += _keep_current([suite], built.get(suite.cell, trees[suite.cell.tree]))
    judged = (digest(migration), *built.values(), *map(digest, suites))
    verification = _section(record.verification, *judged)
    inputs = {
        "analyze": (digest(analysis),),
        "migrate": (digest(migration),),
        "build": (digest(migration), *built.values()),
        "verify": (digest(verification),),
        "report": (digest(verification),),
    }
    return {
        "analysis": analysis,
        "migration": migration,
        "builds": tuple(builds),
        "suites": tuple(suites),
        "verification": verification,
        "stages": tuple(
            s for one in record.stages for s in _keep_current([one], *inputs[one.name])
        ),
    }


def _section(section: R, *inputs: str) -> R:
    """A section that holds, else an empty one."""
    return next(iter(_keep_current([section, type(section)()], *inputs)))


def _keep_current(results: Iterable[R], *inputs: str) -> list[R]:
    """Those of the results that stand on nothing but these."""
    named = (r if r.of else dataclasses.replace(r, of=inputs) for r in results)  # type: ignore[type-var]
    return [result for result in named if {*result.of} <= {*inputs}]


_recent: deque[tuple[object, str]] = deque(maxlen=32)  # results, which never change, with digests


def digest(result: object) -> str:
    """Of a result's content, and of what it was computed from."""
    for known, said in tuple(_recent):  # each change of a record asks for those of all others
        if known is result:
            return said
    said = hashlib.sha256(converter().dumps(result).encode()).hexdigest()[:16]
    _recent.append((result, said))
    return said


@functools.cache
def converter() -> JsonConverter:
    """From records to JSON, the same for the same record, and back; unknown keys are errors."""
    from cattrs.preconf.json import make_converter

    made = make_converter(forbid_extra_keys=True)
    made.register_unstructure_hook_func(_is_set, sorted)
    return made


def _is_set(kind: Any) -> bool:
    return get_origin(kind) is frozenset


def _distinct(*parts: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))
