"""What builds and tests gave, and what that amounts to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from porter.model.cells import Cell, Device, Status, StepResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message of a compiler, linker or installer, in the user's tree where it can be placed."""

    tool: str
    severity: str  # error, warning
    path: str  # from the repository root; absolute when outside of it
    line: int
    column: int | None
    message: str
    cause: str  # messages with the same root share it
    name: str | None = None  # the name that is missing
    scope: str | None = None  # the type or namespace it is missing in


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """One translation unit compiled to an object, or not."""

    path: str
    extension: str
    ok: bool
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """One cell built."""

    of: tuple[str, ...] = field(default=(), compare=False)  # porter.run.record
    cell: Cell
    status: Status
    reason: str = ""  # why it failed or was skipped; of one that is OK, why nothing is installed
    needs_fixes: str = ""  # why the tree as it came does not build; this is of it with the fixes
    steps: tuple[StepResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    units: tuple[UnitResult, ...] = ()
    python: str | None = None  # interpreter that has the result installed
    modules: tuple[str, ...] = ()  # import names that were imported after the build
    inner_modules: tuple[str, ...] = ()  # of the packages' other modules those that were imported
    failed_imports: Mapping[str, Diagnostic] = field(default_factory=dict)  # and those that failed

    @property
    def is_in_place(self) -> bool:
        """Whether nothing of the tree is to be installed: its tests run in it."""
        return self.status is Status.OK and bool(self.reason)


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"  # setup, teardown or collection


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What the interpreter says of a test that did not pass."""

    exception: str  # the type's name
    message: str
    path: str = ""  # the innermost frame in the project, from the root or from site-packages
    line: int = 0
    source: str = ""  # that line's text


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """The repository's own tests in one cell, by node id."""

    of: tuple[str, ...] = field(default=(), compare=False)  # porter.run.record
    cell: Cell
    status: Status
    reason: str = ""
    command: str = ""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)  # node id -> why it failed
    failures: Mapping[str, Failure] = field(default_factory=dict)  # and what was raised, where
    polyfilled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # check -> node ids
    emulated: tuple[str, ...] = ()  # node ids of tests whose kernels ran on a stand-in for a device
    flaky: tuple[str, ...] = ()  # node ids of tests that pass in some runs of this cell only
    # on an emulated NPU: "kernel", and "cpu" of operators without an emulated kernel -> calls
    ran: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)  # of all tests, one after the other


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteComparison:
    """The tests of three cells by node id of the unpatched tree under the source framework."""

    same: int = 0  # passed on the source, with the patch at least, and on the target
    lost: tuple[str, ...] = ()  # passed on the source, patched or not, and not on the target
    fixed: tuple[str, ...] = ()  # passed on the source with the patch only
    lost_patched: tuple[str, ...] = ()  # passed unpatched, not with the patch, on the source
    failing_in_both: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()  # passed in some runs on the source only: in no other list
    skipped: tuple[str, ...] = ()  # on the source and on the target
    gained: tuple[str, ...] = ()  # passed on the target only
    by_patch: tuple[str, ...] = ()  # passed on the target, and not so in the unmodified tree
    not_collected: tuple[str, ...] = ()  # on one side only
    messages: Mapping[str, str] = field(default_factory=dict)  # lost node id -> why
    failures: Mapping[str, Failure] = field(default_factory=dict)  # lost on the target -> what


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledCopy:
    """An sdist or a wheel of the patched tree under the source framework, installed and tested
    where the tree is not."""

    form: str  # "sdist", "wheel"
    device: Device
    status: Status  # skipped: as before the patch, or nothing to compare with
    reason: str = ""
    passed: int = 0  # tests
    lost: tuple[str, ...] = ()  # tests that pass with the patch in the tree, and before it so


@dataclass(frozen=True, slots=True, kw_only=True)
class LostTests:
    """Tests that are lost on the target by one cause, with where most of them failed."""

    exception: str
    message: str  # without the values that differ from test to test
    path: str
    line: int
    answer: str  # "polyfill ID", "quirk ID" or "missing NAME"; empty where none is known
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What failed on the target with a patch, and asked for a patch with more pieces."""

    pieces: tuple[str, ...]  # those that were new in the next patch
    passed: int  # tests on the target
    lost: int


class Verdict(IntEnum):
    """Ordered, so that the weakest is the smallest."""

    STUCK = 0
    PATCHED = 1
    BUILDS = 2
    RUNS = 3
    PORTED = 4


@dataclass(frozen=True, slots=True)
class DeviceVerdict:
    device: Device
    verdict: Verdict
    reasons: tuple[str, ...] = ()  # what held it there, or would raise it

    @property
    def reason(self) -> str:
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage of a run, for the record."""

    of: tuple[str, ...] = field(default=(), compare=False)  # porter.run.record
    name: str
    status: Status
    seconds: float
    reason: str = ""
    processes: Mapping[str, float] = field(default_factory=dict)  # seconds by kind, added up


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelSymbols:
    """The symbols of torch that a wheel's libraries need: what stands in for it has, or lacks."""

    libraries: tuple[str, ...]  # of the wheel, by path: those that are linked with torch
    there: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortedWheel:
    """A wheel for users of a target: what was changed in its metadata, and how it was tried."""

    path: str
    target: str
    version: str  # of the target that it was built with
    added: tuple[str, ...]  # requirements, as in the metadata
    removed: Mapping[str, str]  # requirement -> why it is gone
    requires: tuple[str, ...]  # all that it has now
    installed: tuple[str, ...] = ()  # distributions, over the bare target
    imported: tuple[str, ...] = ()
    after: str = ""  # code that a program runs before it imports these
    problem: str = ""  # why it is no wheel to give away
