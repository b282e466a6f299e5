"""Builds that hang, and porter ended in the middle of them, under real torch and paddle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.real, pytest.mark.long]

SETUP = """import os
import time

import torch
from setuptools import setup

time.sleep(float(os.environ.get("SLEEP", "0")))
setup(name="slow", packages=["slow"], version="1.0")
"""


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    """A repository whose build takes as long as SLEEP says."""
    (tmp_path / "slow" / "slow").mkdir(parents=True)
    (tmp_path / "slow" / "setup.py").write_text(SETUP)
    (tmp_path / "slow" / "slow" / "__init__.py").write_text("import torch\n")
    return tmp_path / "slow"


@pytest.fixture
def port(slow: Path, framework_pythons: Mapping[str, Path]) -> tuple[str, ...]:
    """The command that ports it."""
    own = ("--source-python", framework_pythons["torch"])
    target = ("--target-python", framework_pythons["paddle"])
    words = (sys.executable, "-m", "porter", "port", slow, *own, *target, "--json")
    return (*map(str, words), "--env", "SLEEP")


def start(command: tuple[str, ...], *more: str, sleep: int = 60) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "SLEEP": str(sleep)},
    )


def finished(process: subprocess.Popen[str], code: int) -> Any:
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, out + err
    return json.loads(out)


def test_a_build_that_hangs_is_ended_and_said(port: tuple[str, ...], home: Path) -> None:
    found = finished(start(port, "--timeout", "3"), code=1)
    assert found["verdict"] == "PATCHED"
    native = [build for build in found["builds"] if build["evidence"] == "native"]
    assert len(native) == 4
    assert all("within 3 s" in build["reason"] for build in native)
    assert all("--timeout" in build["reason"] for build in native)
    assert builders(home) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_porter_ended_in_a_build_goes_on_where_it_was(
    port: tuple[str, ...], home: Path, number: signal.Signals
) -> None:
    process = start(port)
    until(lambda: bool(builders(home)))
    process.send_signal(number)
    if number is signal.SIGKILL:
        process.wait()
        until(lambda: builders(home) == [])
    else:
        error = finished(process, code=128 + number)["error"]
        assert "to continue: porter port" in error["hint"]
        assert builders(home) == []
    (run,) = (home / "runs").iterdir()
    kept = json.loads((run / "record.json").read_text())
    found = finished(start(port, "--timeout", "3"), code=1)
    assert builders(home) == []
    assert found["run"] == run.name, "continued, not begun again"
    seconds = {stage["name"]: stage["seconds"] for stage in found["stages"]}
    for stage in kept["stages"]:
        assert seconds[stage["name"]] == round(stage["seconds"], 3), "not done twice"


def test_two_at_once_do_not_share_a_run(port: tuple[str, ...], home: Path) -> None:
    first = start(port)
    until(lambda: bool(builders(home)))
    (run,) = (home / "runs").iterdir()
    second = finished(start(port, "--timeout", "3"), code=1)
    assert second["run"] != run.name
    command = (sys.executable, "-m", "porter", "migrate", "--run", run.name, "--json")
    error = finished(start(command), code=2)["error"]
    assert str(first.pid) in error["message"]
    first.send_signal(signal.SIGTERM)
    finished(first, code=143)


def builders(home: Path) -> list[int]:
    """Living processes that pip runs for the builds of this home."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
            status = (path.parent / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:  # ended meanwhile
            continue
        if str(home / "runs").encode() in words and b"install" in words and status != "Z":
            found.append(int(path.parent.name))
    return found


def until(condition: Any, seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.1)
