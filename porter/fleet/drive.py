"""Run what a plan lacks results of, and keep each result as soon as it is there."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.errors import UsageError
from porter.fleet.plan import Task
from porter.fleet.table import Table, encode, make, page
from porter.fleet.task import Result, failure
from porter.host import files, locks

RESULTS = "results"  # a file for each key
INTERVAL = 5.0  # seconds between two tables, unless all is done
Execute = Callable[[Sequence[Task]], Generator[Result]]


@dataclass(frozen=True, slots=True)
class Folder:
    """Where results are kept, those of earlier plans and commits, too."""

    path: Path

    @property
    def page(self) -> Path:
        return self.path / "fleet.html"

    def load(self) -> list[Result]:
        """Every result, oldest first. A damaged file is none."""
        paths = (self.path / RESULTS).glob("*.json")
        found = (files.load(path, Result) for path in paths)
        return sorted((each for each in found if each is not None), key=lambda r: r.finished)

    def save(self, result: Result) -> Result:
        """Keep a result, whole or not at all, with the time that it came at."""
        result = dataclasses.replace(result, finished=time.time())
        files.save(self.path / RESULTS / f"{result.key}.json", result)
        return result

    def write(self, table: Table) -> None:
        """Write the table as HTML and JSON."""
        files.replace(self.path / "fleet.json", encode(table))
        files.replace(self.page, page(table))


def drive(
    tasks: Sequence[Task], folder: Folder, execute: Execute, note: Callable[[str], None]
) -> Table:
    """Run the tasks that have no result, those of changed sources first, and give the table.

    Raises UsageError where another fleet works with the folder.
    """
    folder.path.mkdir(parents=True, exist_ok=True)
    with locks.alone(folder.path, wait=False) as held:
        if not held:
            raise UsageError(
                f"another porter fleet is at work in {folder.path}", hint="wait, or name another"
            )
        files.sweep(folder.path / RESULTS)
        known = folder.load()
        results = {result.key: result for result in known}
        bad = [task for task in tasks if task.problem]
        results |= {task.key: failure(task, task.problem) for task in bad}
        lacking = order([t for t in tasks if not t.problem and _lacks(results.get(t.key))], known)
        note(f"{len(tasks)} tasks: {len(tasks) - len(lacking) - len(bad)} have a result")
        folder.write(make(tasks, [*results.values()], running=bool(lacking)))
        written = time.monotonic()
        with contextlib.closing(execute(lacking)) as coming:  # what runs ends with this
            for number, result in enumerate(coming, 1):
                results[result.key] = folder.save(result)
                note(f"{number}/{len(lacking)} {describe(result)}")
                if time.monotonic() - written > INTERVAL and number < len(lacking):
                    folder.write(make(tasks, [*results.values()], running=True))
                    written = time.monotonic()
        table = make(tasks, [*results.values()], running=False)
        folder.write(table)
    return table


def _lacks(known: Result | None) -> bool:
    """Whether a task is to be run: it was not, or gave no result, which another time may."""
    return known is None or bool(known.error)


def order(tasks: Sequence[Task], known: Sequence[Result]) -> list[Task]:
    """Tasks whose earlier result is of other content first, then new ones, then failed ones; of
    each the longest first, by what it took before."""
    last = {result.row: result for result in known}  # oldest first

    def rank(task: Task) -> tuple[int, float]:
        before = last.get(task.row)
        if before is None:
            return 1, 0.0
        return (0 if before.key != task.key else 2), -before.seconds

    return sorted(tasks, key=rank)


def describe(result: Result) -> str:
    """A result on one line."""
    said = result.error or result.verdict or ("clean" if result.is_clean else "something remains")
    return f"{', '.join(result.row)}: {said} ({result.seconds:.0f} s)"
