"""The repository's own tests in the cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from porter.model.cells import Cell, Status


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
