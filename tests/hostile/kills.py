"""kill -9 at the writing system calls of migrate, `patch --apply` and undo, git's included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.hostile.bench import BRANCH, Bench, finished, prepared
from tests.hostile.case import Case
from tests.hostile.faults import Fault

POINTS = {  # how many calls, spread over the run; patch --apply makes about 230, undo 15 to 30
    ("patch --apply", Fault.ALL): 240,
    ("patch --apply", Fault.ONE): 40,
    ("patch --apply", Fault.PARENT): 20,
    ("undo", Fault.ALL): 15,
    ("undo", Fault.ONE): 15,
    ("undo", Fault.PARENT): 15,
    ("undo of a packed branch", Fault.ALL): 30,
    ("undo of a packed branch", Fault.ONE): 30,
    ("migrate", Fault.ALL): 40,
    ("migrate", Fault.ONE): 20,
    ("migrate", Fault.PARENT): 10,
}


def cases() -> Iterator[Case]:
    for (command, fault), points in POINTS.items():
        for number in range(points):
            yield Case(
                group=f"kill -9 in {command}: {fault.value}",
                name=f"point {number + 1} of {points}",
                run=partial(try_kill, command, fault, number / points),
                quick=command == "undo" and fault is Fault.ALL and number % 4 == 2,
            )


def try_kill(command: str, fault: Fault, part: float, folder: Path) -> str | None:
    """Kill a command at a part of its way, then run it again."""
    end, uninterrupted = finished(command)
    bench = prepared(command).copy(folder)
    before = bench.snapshot()
    outcome = bench.porter(command, fault, 1 + int(part * uninterrupted.calls))
    killed = f"killed in {outcome.at}: "
    if outcome.left:
        return f"{killed}a process goes on"
    if lost := between(bench, end, before):
        return killed + lost
    again = bench.porter(command)
    if again.code != uninterrupted.code or again.left:
        return f"{killed}the next run ends with {again.code}: {again.said}"
    if bench.branch() != end.branch() or bench.snapshot().keys() != before.keys():
        return f"{killed}the next run gives another branch"
    if command == "migrate" and bench.patch() != end.patch():
        return f"{killed}the next run gives another patch"
    if lost := between(bench, end, before):
        return f"{killed}after the next run: {lost}"
    if left := bench.leftovers():
        return f"{killed}left after the next run: {', '.join(left)}"
    return None


def between(bench: Bench, end: Bench, before: dict[str, object]) -> str | None:
    """What of the user's is neither as before nor as after."""
    now = bench.snapshot()
    was, refs = before.pop("refs"), now.pop("refs")
    changed = [name for name in now if now[name] != before.get(name)]
    assert isinstance(was, dict)
    assert isinstance(refs, dict)
    done = end.refs()
    before["refs"] = was
    if changed or now.keys() != before.keys() - {"refs"}:
        return f"changed: {', '.join(changed) or 'files'}"
    if {n: c for n, c in refs.items() if n != BRANCH} != {
        n: c for n, c in was.items() if n != BRANCH
    }:
        return "another branch changed"
    if BRANCH in refs and refs[BRANCH] != was.get(BRANCH) and bench.branch() != end.branch():
        return "half of the branch"
    if (BRANCH in refs) not in (BRANCH in was, BRANCH in done):
        return "the branch is neither there nor gone"
    bench.git("fsck", "--strict", "--no-dangling")
    return None
