"""The emulated NPU: the ACL runtime that stands in for CANN's, alone and under torch_npu."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from porter.build import ascend_emulation, environment
from porter.emulated.ascend import toolkit
from porter.errors import EnvironmentFailed
from porter.targets.protocol import Environment
from tests.conftest import CACHE

DATA = Path(__file__).parent / "data" / "emulated_ascend"
pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def folder() -> Path:
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    return toolkit(CACHE)


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An overlay of torch_npu's environment that has the emulated NPU."""
    made = environment.overlay(
        ascend_emulation.base(home=CACHE), tmp_path_factory.mktemp("npu") / "cell"
    )
    ascend_emulation.install(made, CACHE)
    return made


def runtime(folder: Path, **variables: str) -> list[str]:
    result = subprocess.run(
        [sys.executable, DATA / "runtime_runs.py", folder / "lib64" / "libascendcl.so"],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


STREAMS = {  # -> seen when streams are late
    "without waiting": "not yet",
    "another stream": "not yet",
    "its stream": "written",
    "by an event": "written",
    "by an event before": "not yet",
    "the device": "written",
    "destroyed": "written",
}


def test_the_runtime_knows_its_memory_and_says_what_is_wrong(folder: Path) -> None:
    past = "emulated NPU: memory was written past the end of an allocation of 100 bytes"
    lines = runtime(folder)
    assert lines == [
        "to the device: 0",
        "more than there is room for: 107000 emulated NPU: a copy of 100 bytes to a place for 99",
        "past the end: 107000 emulated NPU: a copy of 100 bytes that goes past "
        "memory of the device of 100 bytes, at byte 1",
        "free: 0",
        "freed: 107000 emulated NPU: a copy of memory that was freed: "
        "memory that was freed, 100 bytes, at byte 0",
        "free again: 107000 emulated NPU: aclrtFree of memory that was freed before",
        "free of the host's: 107000 emulated NPU: aclrtFree of what aclrtMalloc did not give",
        "another device: 107000 emulated NPU: there is device 0 only, not 1",
        "an operator: 500002 emulated NPU: operator Add has no emulated kernel",
        "pages: 207000 emulated NPU: aclrtMallocPhysical is not emulated",
        f"written past the end: 507035 {past}",
        f"a fault stays: 507035 {past}",
        "until a reset: 0",
        *(f"{way} written: 0" for way in STREAMS),
        "a stream that is gone: 107000 emulated NPU: a stream that does not exist, or no more",
    ]


def test_late_streams_are_read_by_those_who_wait_for_them(folder: Path) -> None:
    lines = runtime(folder, PORTER_EMULATED_LATE="1")
    assert lines[13:-1] == [f"{way} {seen}: 0" for way, seen in STREAMS.items()]


@pytest.mark.parametrize("late", ["0", "1"])
def test_torch_npu_runs_and_says_what_ran_on_the_cpu(
    cell: Environment, tmp_path: Path, late: str
) -> None:
    counts = tmp_path / "counts"
    result = subprocess.run(
        [cell.python, DATA / "torch_npu_runs.py"],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PORTER_EMULATED_LATE": late,
            "PORTER_EMULATED_COUNTS": str(counts),
        },
    )
    assert result.returncode == 0, result.stdout + result.stderr
    *lines, counted = result.stdout.splitlines()
    assert "WRONG" not in result.stdout, result.stdout
    assert sum(line.startswith("ok ") for line in lines) == 21
    found = json.loads(counted)
    assert found["aten::gelu"] == found["aten::gelu_backward"] == 1
    assert "aten::view" not in found, "no numbers are computed"
    assert json.loads(counts.read_text())["cpu"].items() >= found.items()


def test_only_torch_npu_is_given_an_npu(tmp_path: Path) -> None:
    other = Environment(python=tmp_path, framework="paddle", version="3.3.1", build="cpu")
    with pytest.raises(EnvironmentFailed, match="torch_npu only, not for paddle"):
        ascend_emulation.install(other)
