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
    reason: str = ""
    steps: tuple[StepResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    units: tuple[UnitResult, ...] = ()
    python: str | None = None  # interpreter that has the result installed
    modules: tuple[str, ...] = ()  # import names that were imported after the build


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"  # setup, teardown or collection


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
    polyfilled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # check -> node ids
    emulated: tuple[str, ...] = ()  # node ids of tests whose kernels ran on a stand-in for a device
    # on an emulated NPU: "kernel", and "cpu" of operators without an emulated kernel -> calls
    ran: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteComparison:
    """The tests of three cells by node id of the unpatched tree under the source framework."""

    same: int = 0  # passed in all three
    lost: tuple[str, ...] = ()  # passed on the source, not on the target
    lost_patched: tuple[str, ...] = ()  # passed unpatched, not with the patch, on the source
    failing_in_both: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()  # on the source and on the target
    gained: tuple[str, ...] = ()  # passed on the target only
    not_collected: tuple[str, ...] = ()  # on one side only
    messages: Mapping[str, str] = field(default_factory=dict)  # lost node id -> why


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


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelSymbols:
    """The symbols of torch that a wheel's libraries need: what stands in for it has, or lacks."""

    libraries: tuple[str, ...]  # of the wheel, by path: those that are linked with torch
    there: tuple[str, ...]
    missing: tuple[str, ...]
