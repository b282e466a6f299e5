"""Parity as a matrix: a row a case, a column each dtype and layout, and a plot of the errors."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from porter.model import ParityResult, Status
from porter.report.page.tables import Cell, Mark, Plot, Table, table
from porter.run.record import RunRecord

COLUMNS = 20  # of dtypes and layouts
LEAST, MOST = -6.0, 3.0  # powers of ten of the tolerance at the plot's ends
WIDTH, HEIGHT = 120, 16
LAYOUTS = ("contiguous", "transposed", "sliced", "expanded")
_DTYPE = re.compile(r"(?:b?float|u?int|complex|bool)\d*(?:_\w+)?")
_POINT = re.compile(r"(.*) \[(.*)\]", re.DOTALL)

Key = tuple[str, str]  # dtype, layout


def parity(record: RunRecord) -> Table:
    """Show each case's greatest error in every dtype and layout, in parts of its tolerance."""
    cases: defaultdict[str, defaultdict[Key, list[ParityResult]]]
    cases = defaultdict(lambda: defaultdict(list))
    for result in record.verification.parity:
        name, key = split(result.case)
        cases[name][key].append(result)
    keys = list(dict.fromkeys(key for found in cases.values() for key in found))
    shown = sorted(keys)[:COLUMNS]
    more = f" {len(keys) - COLUMNS} more columns are in the JSON." if len(keys) > COLUMNS else ""
    return table(
        "parity",
        "Parity",
        (
            "case",
            "error against tolerance",
            *(" ".join(filter(None, key)) or "any" for key in shown),
        ),
        (_row(name, found, shown) for name, found in sorted(cases.items(), key=_worst)),
        said="A number is the greatest error as a part of the tolerance: up to 1 agrees; in "
        "brackets, of how many calls. The line in the plot is the tolerance; its left end is a "
        f"millionth of that.{more}",
        none="No parity case was run.",
    )


def _heading(key: Key) -> str:
    return " ".join(filter(None, key)) or "any"


def split(case: str) -> tuple[str, Key]:
    """Take the dtype and the layout out of the name of a grid's point."""
    found = _POINT.fullmatch(case)
    if found is None:
        return case, ("", "")
    words = found[2].split()
    dtype = next((word for word in words if _DTYPE.fullmatch(word)), "")
    layout = next((word for word in words if word in LAYOUTS), "")
    return found[1], (dtype, layout)


def _worst(item: tuple[str, defaultdict[Key, list[ParityResult]]]) -> tuple[bool, str]:
    failed = any(r.status is Status.FAILED for found in item[1].values() for r in found)
    return not failed, item[0]


def _row(
    name: str, found: defaultdict[Key, list[ParityResult]], keys: Sequence[Key]
) -> tuple[Cell, ...]:
    every = [result for results in found.values() for result in results]
    return name, _plot(every), *(_mark(found.get(key, ())) for key in keys)


def _mark(results: Sequence[ParityResult]) -> Cell:
    """Sum up one field of the matrix."""
    if not results:
        return ""
    failed = [r for r in results if r.status is Status.FAILED]
    skipped = [r for r in results if r.status is Status.SKIPPED]
    units = [r.units for r in results if r.units is not None]
    number = f"{max(units):.2g}" if units else ""
    points = f" ({len(results)})" if len(results) > 1 else ""
    if failed:
        said = f"{len(failed)} failed: {', '.join(dict.fromkeys(r.phase for r in failed))}"
        return Mark(f"{said} {number}".strip() + points, "bad")
    if len(skipped) == len(results):
        return Mark(f"skipped{points}", "unsure")
    return Mark(f"{number or 'ok'}{points}", "ok")


def _plot(results: Iterable[ParityResult]) -> Cell:
    units = [r.units for r in results if r.units is not None]
    if not units:
        return ""
    beyond = sum(not u <= 1 for u in units)
    said = f"{len(units)} errors, {beyond} beyond the tolerance"
    return Plot(said, _dots(u for u in units if u <= 1), _dots(u for u in units if not u <= 1))


def _dots(units: Iterable[float]) -> str:
    """Return a path of dots; those at one place are one."""
    places = {_x(u) for u in units}
    return "".join(f"M{x} {HEIGHT // 2}h0" for x in sorted(places))


def _x(units: float) -> int:
    if not math.isfinite(units):
        return WIDTH - 4
    power = math.log10(units) if units > 0 else LEAST
    part = (min(MOST, max(LEAST, power)) - LEAST) / (MOST - LEAST)
    return round(4 + part * (WIDTH - 8))


TOLERANCE = _x(1.0)  # where the tolerance stands in a plot
