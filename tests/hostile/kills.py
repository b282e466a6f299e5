"""kill -9 at the writing system calls of migrate, `patch --apply` and undo, git's included."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.hostile.bench import Bench, finished, prepared
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
WORKERS_KILLED = 6


def cases() -> Iterator[Case]:
    for (command, fault), points in POINTS.items():
        for number in range(points):
            yield Case(
                group=f"kill -9 in {command}: {fault.value}",
                name=f"point {number + 1} of {points}",
                run=partial(try_kill, command, fault, number / points),
                quick=command == "undo" and fault is Fault.ALL and number % 4 == 2,
            )
    for number in range(WORKERS_KILLED):
        yield Case(
            group="kill -9 in analyze: porter is killed, not the processes of its pool",
            name=f"{number} tenths of a second after they began",
            run=partial(try_pool, number / 10),
            quick=number == 1,
        )


def try_kill(command: str, fault: Fault, part: float, folder: Path) -> str | None:
    """Kill a command at a part of its way, then run it again."""
    end, uninterrupted = finished(command)
    bench = prepared(command).copy(folder)
    before, branches = bench.snapshot(), {bench.branch(), end.branch()}
    outcome = bench.porter(command, fault, 1 + int(part * uninterrupted.calls))
    killed = f"killed in {outcome.at}: "
    if outcome.left:
        return f"{killed}a process goes on"
    if lost := between(bench, before, branches):
        return killed + lost
    again = bench.porter(command)
    if again.code != uninterrupted.code or again.left:
        return f"{killed}the next run ends with {again.code}: {again.said}"
    if (now := bench.branch()) != (then := end.branch()):
        return f"{killed}the next run gives another branch: {now!r}, not {then!r}"
    if command == "migrate" and bench.patch() != end.patch():
        return f"{killed}the next run gives another patch"
    if lost := between(bench, before, branches):
        return f"{killed}after the next run: {lost}"
    if left := bench.leftovers():
        return f"{killed}left after the next run: {', '.join(left)}"
    return None


def try_pool(moment: float, folder: Path) -> str | None:
    """Kill porter while a pool reads files."""
    repo = folder / "repo"
    repo.mkdir()
    for number in range(30):
        (repo / f"part_{number}.py").write_text("import torch\n" + "x = torch.zeros(2)\n" * 3000)
    process = subprocess.Popen(
        [sys.executable, "-m", "porter", "analyze", ".", "--jobs", "2"],
        cwd=repo,
        env={**os.environ, "PORTER_HOME": str(folder / "home")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and len(workers := _children(process.pid)) < 2:
        time.sleep(0.01)
    if process.poll() is not None:
        return f"no pool was seen: porter ended with {process.returncode}"
    time.sleep(moment)
    process.kill()
    process.wait()
    time.sleep(1.0)
    going = [pid for pid in workers if _state(pid)[:1] not in ([], ["Z"])]
    for pid in going:
        os.kill(int(pid), signal.SIGKILL)
    return f"{len(going)} of {len(workers)} go on" if going else None


def _children(parent: int) -> list[str]:
    """The Python processes that a process has started."""
    found = [path.name for path in Path("/proc").glob("[0-9]*")]
    return [
        pid
        for pid in found
        if _state(pid)[1:2] == [str(parent)] and b"porter" in _command_line(pid)
    ]


def _state(pid: str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _command_line(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def between(bench: Bench, before: dict[str, object], branches: set[str]) -> str | None:
    """What of the user's is not as before, but for porter's branch, which may hold one of these."""
    now = bench.snapshot()
    changed = [name for name in {**now, **before} if now.get(name) != before.get(name)]
    if changed:
        return f"changed: {', '.join(changed)}"
    if bench.branch() not in branches:
        return "half of the branch"
    bench.git("fsck", "--strict", "--no-dangling")
    return None
