"""A full disk at each write, and files and folders that cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from porter.errors import ExitCode
from tests.hostile.bench import Bench, finished, prepared
from tests.hostile.case import Case
from tests.hostile.faults import Fault
from tests.hostile.kills import between

POINTS = {"migrate": 15, "patch --apply": 25, "undo": 8}
CLOSED = ("home", "home/runs", "home/scratch", "repo/.git", "repo/.git/refs/heads", "repo")


def cases() -> Iterator[Case]:
    for command, points in POINTS.items():
        for number in range(points):
            yield Case(
                group=f"the disk is full in {command}",
                name=f"from point {number + 1} of {points}",
                run=partial(try_full_disk, command, number / points),
                quick=command == "undo" and number == 4,
            )
    for command in ("patch --apply", "undo"):
        for place in CLOSED:
            yield Case(
                group=f"a folder that cannot be written in {command}",
                name=place,
                run=partial(try_closed, command, place),
                quick=command == "undo" and place == "repo/.git/refs/heads",
            )


def try_full_disk(command: str, part: float, folder: Path) -> str | None:
    """Let every write from some point on fail, then run the command again."""
    _, uninterrupted = finished(command)
    bench = prepared(command).copy(folder)
    return _try(bench, command, Fault.FULL, 1 + int(part * uninterrupted.calls))


def try_closed(command: str, place: str, folder: Path) -> str | None:
    """Run where one folder is read-only, then where it is not."""
    bench = prepared(command).copy(folder)
    closed = folder / place
    closed.mkdir(exist_ok=True)
    mode = closed.stat().st_mode
    closed.chmod(0o555)
    return _try(bench, command, Fault.NONE, 0, closed, mode)


def _try(
    bench: Bench, command: str, fault: Fault, when: int, closed: Path | None = None, mode: int = 0
) -> str | None:
    end, uninterrupted = finished(command)
    before, branches = bench.snapshot(), {bench.branch(), end.branch()}
    outcome = bench.porter(command, fault, when)
    if closed is not None:
        closed.chmod(mode)
    if outcome.code not in (ExitCode.CLEAN, ExitCode.USAGE, ExitCode.ENVIRONMENT) or outcome.left:
        return f"{outcome.at}: ends with {outcome.code}: {outcome.said}"
    if "Traceback" in outcome.said:
        return f"{outcome.at}: a traceback: {outcome.said}"
    if lost := between(bench, before, branches):
        return f"{outcome.at}: {lost}"
    again = bench.porter(command)
    if again.code != uninterrupted.code:
        return f"{outcome.at}: the next run ends with {again.code}: {again.said}"
    if (now := bench.branch()) != (then := end.branch()):
        return f"{outcome.at}: the next run gives another branch: {now!r}, not {then!r}"
    if lost := between(bench, before, branches):
        return f"{outcome.at}: after the next run: {lost}"
    if left := bench.leftovers():
        return f"{outcome.at}: left after the next run: {', '.join(left)}"
    return None
