"""Why tests were not run is said as it is."""

from __future__ import annotations

from porter.model import BuildResult, Cell, Device, Evidence, Status, Tree
from porter.stages import parity

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
