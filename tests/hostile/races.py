"""Two commands at once on one repository, and repositories that change under a command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from porter.errors import ExitCode
from tests.hostile.bench import BRANCH, COMMANDS, Bench, finished, prepared
from tests.hostile.case import Case
from tests.hostile.kills import between

PAIRS = {  # what is ready -> the two commands
    ("migrate", ("migrate", "migrate")): 6,
    ("patch --apply", ("patch --apply", "patch --apply")): 10,
    ("patch --apply", ("migrate", "patch --apply")): 10,
    ("undo", ("undo", "undo")): 6,
    ("undo", ("undo", "patch --apply")): 6,
}
FINE = (ExitCode.CLEAN, ExitCode.REMAINS, ExitCode.USAGE)


def cases() -> Iterator[Case]:
    for (ready, pair), times in PAIRS.items():
        for number in range(times):
            yield Case(
                group=f"at once: {pair[0]} and {pair[1]}",
                name=f"{number} tenths of a second apart",
                run=partial(try_pair, ready, pair, number / 10),
                quick=pair == ("undo", "undo") and number == 0,
            )
    for name, change in CHANGES.items():
        yield Case(
            group="the repository changed since migrate",
            name=name,
            run=partial(try_changed, change),
            quick=name == "the file is another one",
        )


def try_pair(ready: str, pair: tuple[str, str], apart: float, folder: Path) -> str | None:
    """Start two commands; each ends well or is refused, and the repository is as after one."""
    end, _ = finished("patch --apply")
    bench = prepared(ready).copy(folder)
    before, branches = bench.snapshot(), {"", end.branch()}
    first = _start(bench, pair[0])
    time.sleep(apart)
    second = _start(bench, pair[1])
    said = [process.communicate(timeout=300)[0] for process in (first, second)]
    codes = [process.returncode for process in (first, second)]
    if not set(codes) <= set(FINE) or (ExitCode.USAGE in codes[:1] and codes[0] == codes[1]):
        return f"ended with {codes}: {' / '.join(said)}"
    if lost := between(bench, before, branches):
        return lost
    last = bench.porter("undo" if ready == "undo" else pair[1])
    if last.code != ExitCode.CLEAN:
        return f"the next run ends with {last.code}: {last.said}"
    if lost := between(bench, before, branches):
        return f"after the next run: {lost}"
    return f"left: {left}" if (left := bench.leftovers()) else None


def try_changed(steps: list[tuple[str, ...]], folder: Path) -> str | None:
    """Change the repository, then apply: the branch holds both, or nothing happens."""
    bench = prepared("patch --apply").copy(folder)
    for step in steps:
        if step[0] == "write":
            (bench.repo / step[1]).write_text(step[2])
        else:
            bench.git(*step)
    before, was = bench.snapshot(), bench.tip()
    outcome = bench.porter("patch --apply")
    if bench.snapshot() != before:
        return "the repository was changed"
    made = bench.tip() != was
    if made is (outcome.code == ExitCode.USAGE) or outcome.code not in FINE:
        return f"ended with {outcome.code}, branch made: {made}: {outcome.said}"
    if made and bench.git("rev-parse", f"{BRANCH}~1") != bench.git("rev-parse", "HEAD"):
        return "the branch does not stand on HEAD"
    bench.git("fsck", "--strict", "--no-dangling")
    return f"left: {left}" if (left := bench.leftovers()) else None


def _start(bench: Bench, command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "porter", *COMMANDS[command]],
        cwd=bench.repo,
        env={**os.environ, **bench.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


_COMMIT = ("commit", "-q", "-a", "-m", "more")
CHANGES: dict[str, list[tuple[str, ...]]] = {
    "the file is another one": [("write", "ops/__init__.py", "import numpy\n"), _COMMIT],
    "another file changed": [("write", "ops/more/data.py", "VALUES = []\n"), _COMMIT],
    "a file to be made is there": [
        ("write", "ops/_porter_compat.py", "mine = 1\n"),
        ("add", "."),
        _COMMIT,
    ],
    "the file is gone": [("rm", "-q", "ops/__init__.py"), _COMMIT],
    "the file moved": [("mv", "ops/__init__.py", "ops/first.py"), _COMMIT],
    "not committed": [("write", "ops/__init__.py", "import numpy\n")],
    "only staged": [("write", "ops/__init__.py", "import numpy\n"), ("add", ".")],
    "untracked": [("write", "ops/_porter_compat.py", "mine = 1\n")],
    "no branch": [("checkout", "-q", "--detach")],
    "a branch stands in the way": [("branch", "porter")],
    "a branch lies below": [("branch", "porter/paddle/x")],
    "the branch is there": [("branch", "porter/paddle")],
    "packed": [("gc", "-q", "--prune=now")],
    "an unborn branch": [("checkout", "-q", "--orphan", "new")],
}
