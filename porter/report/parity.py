"""Parity cases by themselves: a table with bars, JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from porter.model import Cost, ParityResult, Status
from porter.report.json import Document, parity_document
from porter.report.rows import dim, heading, plain, table

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 10  # characters of a bar
LEAST = -3.0  # its left end: a thousandth of the tolerance
COLOURS = {Status.OK: "green", Status.FAILED: "red", Status.SKIPPED: "yellow"}


def bar(units: float | None) -> str:
    """How far a case is from its tolerance, on a logarithmic scale; full where it is reached."""
    if units is None:
        return ""
    if units <= 0:
        return "·" * WIDTH
    part = 1 - math.log10(units) / LEAST if units < 1 else 1.0
    full = max(0, min(WIDTH, round(part * WIDTH)))
    return "█" * full + "·" * (WIDTH - full)


def render(results: Sequence[ParityResult]) -> list[RenderableType]:
    """A line for each case: its bar, its greatest difference, and what is wrong."""
    numbers = Counter(result.status for result in results)
    said = ", ".join(f"{number} {status}" for status, number in numbers.items())
    rows = [
        (
            f"[{COLOURS.get(r.status, 'yellow')}]{r.status}[/]",
            plain(r.case),
            f"{r.device} {r.evidence}",
            bar(r.units),
            _distance(r),
            dim(wrong(r)),
        )
        for r in results
    ]
    return [*heading("parity cases", f"({len(results)}: {said})"), *table(rows, len(rows))]


def wrong(result: ParityResult) -> str:
    """What is wrong with a case, and the smallest call with which it is."""
    phase = f"{result.phase}: " if result.phase else ""
    smallest = f"\nsmallest: {result.smallest}" if result.smallest else ""
    return f"{phase}{result.message}{smallest}"


def _distance(result: ParityResult) -> str:
    if result.max_abs is None:
        return ""
    ulps = "" if result.max_ulp is None else f", {result.max_ulp:.4g} ulp"
    return f"{result.max_abs:.3g}{ulps}"


def render_costs(costs: Sequence[Cost]) -> list[RenderableType]:
    """A line for each case: a call on both sides, and how many times as long the target's is."""
    rows = [
        (plain(c.case), str(c.device), *_times(c))
        if not c.problem
        else (plain(c.case), str(c.device), "", "", "", dim(c.problem), "")
        for c in costs
    ]
    return [
        *heading("cost of a call", "(source, target, ratio, its middle half)"),
        *table(rows, len(rows)),
    ]


def _times(cost: Cost) -> tuple[str, ...]:
    kernels = "" if cost.kernel_ratio is None else f"{cost.kernel_ratio:.2f} with kernels"
    return (
        _microseconds(cost.source),
        _microseconds(cost.target),
        f"{cost.ratio:.2f}",
        f"{cost.low:.2f} to {cost.high:.2f}",
        kernels,
    )


def _microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} us"


def encode_costs(costs: Sequence[Cost]) -> str:
    """All costs as JSON, in seconds."""
    return json.dumps([asdict(cost) for cost in costs], indent=2, ensure_ascii=False)


def encode(results: Sequence[ParityResult]) -> str:
    """The `parity` part of the report, alone."""
    found: Document = parity_document(results)
    return json.dumps(found, indent=2, ensure_ascii=False)
