"""The repository's tests under both frameworks, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from porter.model import Failure, Outcome, Tree
from porter.report.facts import suite_of
from porter.run.record import RunRecord


class Side(StrEnum):
    """Where a test passes."""

    BOTH = "both"
    SOURCE = "source only"
    TARGET = "target only"
    NEITHER = "neither"
    FLAKY = "in some runs"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTest:
    """A test, where it passes, and why it is lost."""

    name: str
    side: Side
    message: str = ""
    failure: Failure | None = None  # on the target


def compare_tests(record: RunRecord) -> Iterator[ComparedTest]:
    """Yield each test, those that are lost first; nothing where the tests were not compared."""
    found = record.verification.comparison
    source = suite_of(record, Tree.UNPATCHED, source=True)
    if found is None:
        return
    sides: dict[str, Side] = dict.fromkeys((*found.lost, *found.lost_patched), Side.SOURCE)
    sides = dict.fromkeys(found.gained, Side.TARGET) | sides
    sides = dict.fromkeys(found.failing_in_both, Side.NEITHER) | sides
    sides = dict.fromkeys(found.skipped, Side.SKIPPED) | sides
    sides = dict.fromkeys(found.fixed, Side.BOTH) | sides
    sides |= dict.fromkeys(found.flaky, Side.FLAKY)
    for name, outcome in (source.outcomes if source else {}).items():
        sides.setdefault(name, Side.BOTH if outcome is Outcome.PASSED else Side.NEITHER)
    order = (Side.SOURCE, Side.FLAKY, Side.TARGET, Side.NEITHER, Side.SKIPPED, Side.BOTH)
    for name, side in sorted(sides.items(), key=lambda item: order.index(item[1])):
        message = found.messages.get(name, "")
        yield ComparedTest(name=name, side=side, message=message, failure=found.failures.get(name))
