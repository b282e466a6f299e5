"""Progress: which stage, how long still, what a terminal and a file are shown, where time went."""

from __future__ import annotations

import dataclasses
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from porter.host import process, spending
from porter.model import Step
from porter.progress import Pace, describe_seconds
from porter.run import store
from porter.stages import estimates
from tests.conftest import ROOT
from tests.test_cli import ops, porter, write

__all__ = ["ops"]  # a fixture


@dataclasses.dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("line", "share"),
    [
        ("[3/12] Building CXX object a.o", 0.25),
        ("[ 40%] Building CXX object", 0.4),
        ("tests/test_a.py::test_b[x-1] PASSED   [ 50%]", 0.5),
        ("5 of 20 files", 0.25),
        ("compiling a.cpp", None),
        ("[0/0]", None),
        ("array[3]", None),
    ],
)
def test_lines_of_builds_and_tests_say_how_much_is_done(line: str, share: float | None) -> None:
    pace = Pace()
    pace.take(line)
    assert pace.share == share


def test_what_is_left_follows_from_earlier_runs() -> None:
    clock = Clock()
    pace = Pace(plan=("analyze", "build", "verify"), clock=clock)
    pace.expect(lambda: {"analyze": 10.0, "build": 100.0, "verify": 50.0})
    pace.enter("build")
    assert (pace.position, pace.left()) == ("2/3", 150.0)
    clock.now += 40
    assert pace.left() == 110.0
    clock.now += 500
    assert pace.left() == 50.0, "what takes longer than before counts no more"


def test_without_earlier_runs_the_share_of_the_step_tells() -> None:
    clock = Clock()
    pace = Pace(plan=("build", "verify"), clock=clock)
    pace.enter("build")
    assert pace.left() is None
    clock.now += 30
    pace.take("[1/4] x")
    assert pace.left() == 90.0
    pace.begin_step()
    assert pace.left() is None


def test_seconds_are_said_as_people_do() -> None:
    said = [describe_seconds(seconds) for seconds in (3, 59.4, 59.6, 200, 4800)]
    assert said == ["3 s", "59 s", "1 min", "3 min", "1 h 20 min"]


def test_time_is_told_by_stage_and_kind_of_process() -> None:
    clock, ended = Clock(), dict[str, tuple[int, float]]()

    def totals(before: Mapping[str, tuple[int, float]] | None) -> dict[str, tuple[int, float]]:
        past = before or {}
        new = {k: (n - past.get(k, (0, 0.0))[0], s) for k, (n, s) in ended.items()}
        return {k: (n, s - past.get(k, (0, 0.0))[1]) for k, (n, s) in new.items() if n}

    pace = Pace(clock=clock, totals=totals)
    clock.now += 2
    pace.enter("build")
    ended.update({"g++": (2, 7.0), "python: pip install": (1, 1.0)})
    clock.now += 5
    pace.enter("verify")
    ended["g++"] = (3, 8.0)
    clock.now += 1
    pace.enter("build")
    clock.now += 1
    assert [*pace.rows()] == [
        ("", "", 0, 2.0),
        ("build", "", 3, 6.0),
        ("build", "g++", 2, 7.0),
        ("build", "python: pip install", 1, 1.0),
        ("verify", "", 1, 1.0),
        ("verify", "g++", 1, 1.0),
    ]


def test_each_process_is_counted_by_its_kind(tmp_path: Path) -> None:
    before = spending.total()
    process.run(Step(name="say", argv=("echo", "x"), cwd=str(tmp_path)), tmp_path / "say.log")
    ((kind, (number, seconds)),) = spending.total(before).items()
    assert (kind, number) == ("echo", 1) and seconds > 0
    python = Step(name="resolve12", argv=("/x/bin/python3.11",), cwd=".")
    assert spending.kind_of(python) == "python: resolve"


def test_timing_is_shown_beside_a_document(ops: Path, tmp_path: Path) -> None:
    done = porter("analyze", "ops", "--json", "--timing", "-q", cwd=tmp_path)
    assert done.stdout.startswith("{") and done.stdout.endswith("}\n")
    assert re.search(r"^analyze +[\d.]+", done.stderr, re.MULTILINE)


# ------------------------------------------------------------------- estimates


def test_a_stage_takes_what_it_took_before(ops: Path, tmp_path: Path) -> None:
    for name in ("ops", "other"):
        write(tmp_path / "other", {f"{n}.py": "import torch\n" for n in "abcdefgh"})
        porter("analyze", name, cwd=tmp_path)
    first, second = store.all_runs()
    for run, seconds in ((first, 8.0), (second, 16.0)):
        kept = run.load()
        (stage,) = kept.stages
        run.save(dataclasses.replace(kept, stages=(dataclasses.replace(stage, seconds=seconds),)))
    porter("analyze", "ops", cwd=tmp_path)
    newest = store.all_runs()[-1]
    assert estimates.expect(newest, newest.load())["analyze"] == 8.0, "of the same repository"
    write(tmp_path / "third", {f"{n}.py": "import torch\n" for n in "abcd"})
    porter("analyze", "third", cwd=tmp_path)
    newest = store.all_runs()[-1]
    found = estimates.expect(newest, newest.load())
    assert 0 < found["analyze"] <= 16.0, "by files of other repositories"
    assert "build" not in found


# -------------------------------------------------------------- on a terminal

PROGRAM = """
import sys, time
from porter import console
console.detail = console.Detail({detail})
shown = console.Console()
shown.plan("analyze", "build")
shown.expect(lambda: {{"build": 90.0}})
shown.enter("build")
with shown.stage("build the tree"):
    time.sleep(0.15)
    shown.line("[1/4] Building a very long name of an object file that does not fit in the line.o")
    time.sleep(0.25)
    shown.note("a note")
    with shown.stage("an inner step"):
        time.sleep(0.15)
"""


def on_terminal(detail: int, **environment: str) -> str:
    """What a program shows on a terminal of 60 columns."""
    master, slave = pty.openpty()
    given = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "60", "TERM": "xterm"}
    given.pop("NO_COLOR", None)
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(detail=detail)],
        stderr=slave,
        stdout=subprocess.DEVNULL,
        env=given | environment,
    )
    os.close(slave)
    return b"".join(_read(master)).decode() if running.wait() == 0 else "failed"


def _read(master: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the other end is closed
            return
        if not data:
            return
        yield data


ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")


def test_a_terminal_shows_one_line_that_fits() -> None:
    shown = on_terminal(1)
    assert "\x1b[32m" in shown, "in colours"
    lines = re.split(r"[\r\n]+", ESCAPE.sub("", shown))
    assert any("2/2 build the tree" in line and "25%" in line for line in lines), lines
    assert any("~1 min left" in line or "~2 min left" in line for line in lines)
    assert any(re.search(r"\d:\d\d:\d\d", line) for line in lines)
    assert max(map(len, lines)) <= 60
    assert any(re.fullmatch(r"✓ 2/2 an inner step \([\d.]+ s\)", line.strip()) for line in lines)


def test_colours_can_be_turned_off() -> None:
    assert not re.search(r"\x1b\[[\d;]*3[1-7]m", on_terminal(1, NO_COLOR="1"))
    assert on_terminal(0) == "", "quiet"


def test_verbose_keeps_the_lines_of_builds() -> None:
    assert re.search(r"Building a very.*\n", ESCAPE.sub("", on_terminal(2)))


def test_without_a_terminal_there_is_one_line_a_step() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(detail=1)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    lines = [re.sub(r"[\d.]+ s", "N s", line) for line in done.stderr.splitlines()]
    assert lines == ["a note", "✓ 2/2 an inner step (N s)", "✓ 2/2 build the tree (N s)"]
    assert done.stdout == ""


def test_a_document_has_its_progress_beside_it(ops: Path, tmp_path: Path) -> None:
    done = porter("analyze", "ops", "--json", cwd=tmp_path)
    assert re.search(r"^✓ analyze \([\d.]+ s\)$", done.stderr, re.MULTILINE)
    assert porter("analyze", "ops", "--json", "-q", cwd=tmp_path).stderr == ""


def test_an_interrupt_names_the_command_that_continues(tmp_path: Path) -> None:
    write(tmp_path, {"slow/setup.py": "import torch\n"})
    program = (
        "import sys, time, porter.cli, porter.stages.session as s\n"
        "s.begin = lambda *a: (sys.stderr.write('begun\\n'), time.sleep(60))\n"
        "porter.cli.main()\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", program, "port", "slow dir", "--target", "paddle"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert running.stderr is not None
    assert running.stderr.readline() == "begun\n"
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    said = running.stderr.read()
    assert running.wait() == 128 + signal.SIGINT
    assert "porter port 'slow dir' --target paddle" in said
