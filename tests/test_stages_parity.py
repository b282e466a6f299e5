"""Why tests were not run is said as it is; what parity cases need is built, and no more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from porter.model import BuildResult, Cell, Device, Evidence, Status, Tree
from porter.stages import build, parity
from porter.stages.options import Options
from tests.test_stages_devices import KEPT

CELL = Cell(Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE)


def test_tests_of_a_tree_without_a_build_are_not_called_missing() -> None:
    skipped = BuildResult(cell=CELL, status=Status.SKIPPED, reason="no setup.py")
    assert parity.unusable(skipped) == "not built: no setup.py"
    assert parity._interpreter(skipped) is None


def test_a_failed_build_says_so_once() -> None:
    failed = BuildResult(cell=CELL, status=Status.FAILED, reason="the build failed: x", python="p")
    assert parity.unusable(failed) == "the build failed: x"


def test_what_was_built_is_used() -> None:
    good = BuildResult(cell=CELL, status=Status.OK, python="/p")
    assert parity.unusable(good) == ""


def test_what_no_case_is_run_with_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Cell] = []
    monkeypatch.setattr(build, "build_cells", lambda run, cells, *_: built.extend(cells))
    run: Any = SimpleNamespace(load=lambda: KEPT)
    case: Any = SimpleNamespace(devices=(Device.CPU,))
    places = {Device.CPU: Evidence.NATIVE, Device.CUDA: Evidence.EMULATED}
    none: Any = None
    parity._build_for(run, (case, case), places, Options(), none)
    assert [(cell.tree, cell.environment, cell.device) for cell in built] == [
        (Tree.UNPATCHED, "torch", Device.CPU),
        (Tree.PATCHED, "paddle", Device.CPU),
    ]
