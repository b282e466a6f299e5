"""What the results of a run amount to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from porter.model.cells import Device, Status


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
