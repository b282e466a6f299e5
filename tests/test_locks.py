"""Locks keep other processes out, and end with the process that holds them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from porter.host.locks import alone, lock
from tests.conftest import ROOT

HOLD = """
import sys, time
from pathlib import Path
from porter.host.locks import alone, lock
with alone(Path(sys.argv[1])), lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_lock_is_free_after_its_holder_was_killed(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=ROOT) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with alone(tmp_path, wait=False) as held:
            assert not held
        other.kill()
    with alone(tmp_path, wait=False) as held:
        assert held
    waited: list[str] = []
    with lock(tmp_path, waited.append):
        assert not waited


def test_a_folder_that_is_gone_is_not_held(tmp_path: Path) -> None:
    with alone(tmp_path / "none") as held:
        assert not held
