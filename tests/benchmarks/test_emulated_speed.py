"""How fast emulated threads run, against a plain loop in the same run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from porter.emulators.cuda import emulate
from porter.emulators.cuda.toolkit import runtime
from tests.system import need

UNIT = Path(__file__).parent.parent / "data" / "emulated" / "speed.cu"
# Of a loop that adds 1,700 to 2,200 million numbers a second; measured: 0.18, 0.006, 0.0012.
ADD, BARRIER, SHUFFLES = 0.02, 0.0025, 0.0004


@pytest.mark.long
@pytest.mark.real
def test_threads_cost_little_more_than_a_call_until_they_wait(tmp_path: Path) -> None:
    need("g++")
    made = emulate([UNIT], [], tmp_path)
    program = tmp_path / "speed"
    runtime(tmp_path)
    linked = ("-lcudart", f"-L{tmp_path}/lib64", f"-Wl,-rpath,{tmp_path}/lib64")
    command = ("g++", "-std=c++17", "-O2", *made.flags, made.sources[0], "-o", program, *linked)
    subprocess.run(command, check=True)
    result = subprocess.run([program], capture_output=True, text=True, check=True)
    # Shown by `pytest -s`.
    head = "threads a block; millions a second: plain loop, add, add and barrier, warp sum\n"
    sys.stdout.write(head + result.stdout)
    for line in result.stdout.splitlines():
        block, loop, add, barrier, shuffles = map(float, line.split())
        measured = (add / loop > ADD, barrier / loop > BARRIER, shuffles / loop > SHUFFLES)
        assert all(measured), f"blocks of {block:.0f} threads: {line}"
