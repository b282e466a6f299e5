"""Steps in threads: results as they come, nothing left of them where the block is left early."""

from __future__ import annotations

import time
from concurrent.futures import wait
from pathlib import Path

import pytest

from porter.errors import EnvironmentFailed
from porter.host import process, threads
from porter.model import Cell, Device, Evidence, Step, Tree
from porter.stages.options import Options
from porter.stages.side_by_side import group_cells, share_jobs


def _step(tmp_path: Path, command: str) -> Step:
    argv = ("/bin/sh", "-c", command)
    return Step(name="step", argv=argv, cwd=str(tmp_path), foreign=False)


def test_an_exception_ends_the_steps_of_all_threads(tmp_path: Path) -> None:
    began = time.monotonic()
    mark = tmp_path / "late"
    with pytest.raises(KeyboardInterrupt), threads.pool(1) as pool:
        step = _step(tmp_path, "touch began; sleep 60; touch late")
        running = pool.submit(process.run, step, tmp_path / "a.log")
        waiting = pool.submit(process.run, _step(tmp_path, "touch late"), tmp_path / "b.log")
        while not (tmp_path / "began").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert time.monotonic() - began < 30
    assert isinstance(running.exception(), EnvironmentFailed)  # no result: it is not the step's own
    assert waiting.cancelled() and not mark.exists()
    assert process.run(_step(tmp_path, "exit 0"), tmp_path / "c.log").ok


def test_a_block_that_ends_as_it_should_waits_for_all(tmp_path: Path) -> None:
    with threads.pool(2) as pool:
        steps = [_step(tmp_path, f"sleep 0.2; exit {n}") for n in (0, 3)]
        each = [pool.submit(process.run, s, tmp_path / f"{n}.log") for n, s in enumerate(steps)]
    assert not wait(each).not_done
    assert [one.result().returncode for one in each] == [0, 3]


def _cells(device: Device, evidence: Evidence) -> list[Cell]:
    sides = ((Tree.UNPATCHED, "torch"), (Tree.UNMODIFIED, "other"))
    sides += ((Tree.PATCHED, "torch"), (Tree.PATCHED, "other"))
    return [Cell(tree, environment, device, evidence) for tree, environment in sides]


def test_cells_of_different_frameworks_are_built_at_once() -> None:
    cells = _cells(Device.CPU, Evidence.NATIVE)
    objects = Cell(Tree.PATCHED, "other", Device.CUDA, Evidence.COMPILED)
    groups = group_cells([*cells, objects], Options(jobs=8))
    assert groups == [cells[:2], cells[2:], [objects]]
    assert share_jobs(Options(jobs=8), 2).jobs == 4 and share_jobs(Options(jobs=0), 1).jobs == 0
    vendored = [cells[0], *cells[2:]]
    assert group_cells(vendored, Options(jobs=2)) == [[cells[0]], cells[2:]]


def test_one_job_builds_one_cell_at_a_time() -> None:
    cells = _cells(Device.CPU, Evidence.NATIVE)
    assert group_cells(cells, Options(jobs=1)) == [[cell] for cell in cells]
    emulated = _cells(Device.CUDA, Evidence.EMULATED)
    assert group_cells(emulated, Options(jobs=8)) == [[cell] for cell in emulated]
