"""The results of a fleet in one table, as JSON and HTML."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import porter
from porter.fleet.plan import Task
from porter.fleet.task import STAGES, Result

SCHEMA = 1
TEMPLATE = "table.html"
WIDTH, HEIGHT = 900, 160  # of the drawing, in its units
WAITING = "waiting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What was left at a moment, of the rows of today's plan."""

    time: float  # seconds since the epoch
    waiting: int  # rows without any result
    left: int  # rows with something to do


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A task with its result, and that of the content before."""

    task: Task
    result: Result | None
    before: str  # its state; empty where there was none

    @property
    def state(self) -> str:
        """The verdict, or one word."""
        return _state(self.result) if self.result else WAITING


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """All rows of a plan, and how the work went down."""

    rows: tuple[Row, ...]
    burndown: tuple[Point, ...]
    running: bool
    written: float

    @property
    def is_clean(self) -> bool:
        return all(row.result is not None and row.result.is_clean for row in self.rows)

    @property
    def totals(self) -> Counter[str]:
        """Rows by state."""
        return Counter(row.state for row in self.rows)


def _state(result: Result) -> str:
    if result.error:
        return "error"
    return result.verdict or ("clean" if result.is_clean else "remains")


def make(tasks: Sequence[Task], results: Sequence[Result], *, running: bool) -> Table:
    """Put the results of a plan together; those of earlier content are for comparison."""
    by_key = {result.key: result for result in results}
    before = {
        result.row: _state(result)
        for result in sorted(results, key=lambda r: r.finished)
        if not result.error and result.key not in {task.key for task in tasks}
    }
    rows = tuple(Row(task=t, result=by_key.get(t.key), before=before.get(t.row, "")) for t in tasks)
    points = tuple(_burn({task.row for task in tasks}, results))
    return Table(rows=rows, burndown=points, running=running, written=time.time())


def _burn(rows: set[tuple[str, str, str]], results: Sequence[Result]) -> Iterator[Point]:
    last: dict[tuple[str, str, str], bool] = {}
    for result in sorted(results, key=lambda r: r.finished):
        if result.row in rows and result.finished and not result.error:
            last[result.row] = result.is_clean
            left = len(rows) - sum(last.values())
            yield Point(time=result.finished, waiting=len(rows) - len(last), left=left)


def encode(table: Table) -> str:
    """The table as one JSON document."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "porter_version": porter.__version__,
            "written": table.written,
            "running": table.running,
            "stages": list(STAGES),
            "totals": dict(table.totals),
            "rows": [_row(row) for row in table.rows],
            "burndown": [asdict(point) for point in table.burndown],
        },
        indent=1,
    )


def _row(row: Row) -> dict[str, Any]:
    task, result = row.task, row.result
    return {
        "key": task.key,
        "repository": task.repository,
        "content": task.content,
        "target": task.target,
        "device": task.device,
        "command": task.command,
        "arguments": list(task.arguments),
        "state": row.state,
        "before": row.before,
        "error": result.error if result else "",
        "stages": {name: result.stages.get(name) if result else None for name in STAGES},
        "counts": dict(result.counts) if result else {},
        "patch": result.patch if result else "",
        "node": result.node if result else "",
        "run": result.run if result else "",
        "seconds": result.seconds if result else None,
        "finished": result.finished if result else None,
    }


def page(table: Table) -> str:
    """The table as an HTML page without scripts; the template escapes what comes from elsewhere."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    text = environment.get_template(TEMPLATE).render(
        table=table,
        stages=STAGES,
        box=(WIDTH, HEIGHT),
        lines={"left": _line(table, "left"), "waiting": _line(table, "waiting")},
        clock=lambda seconds: time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds)),
    )
    return text.encode(errors="replace").decode()


def _line(table: Table, name: str) -> str:
    """The points of one line of the burndown, as steps."""
    points = table.burndown
    if not points or not table.rows:
        return ""
    first, last = points[0].time, points[-1].time
    parts = [f"M0 {HEIGHT * (1 - getattr(points[0], name) / len(table.rows)):.1f}"]
    for point in points:
        across = WIDTH * (point.time - first) / ((last - first) or 1.0)
        parts.append(f"H{across:.1f}V{HEIGHT * (1 - getattr(point, name) / len(table.rows)):.1f}")
    return "".join([*parts, f"H{WIDTH}"])
