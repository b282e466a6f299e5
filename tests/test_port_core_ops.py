"""Our library of core operators, ported: every family's CUDA kernels agree, emulated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.cli.common import choices
from porter.console import Console
from porter.model import Device, Evidence, Status
from porter.parity import cases as parity_cases
from porter.stages import parity
from tests.mutants.__main__ import bench

pytestmark = [pytest.mark.real, pytest.mark.minutes]
FAMILIES = {
    *("norm", "softmax", "activation", "rope", "segment", "scatter", "index", "histogram"),
    *("top-k", "sampling", "quantisation", "attention", "nms", "deformable", "correlation"),
    "streams",
}


def family(case: str) -> str:
    return case.split()[0].rstrip(":")


def test_every_family_has_cuda_kernels_that_agree_emulated(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    """Built on the two sides that are compared, and nowhere else; with the pieces that names ask
    for, as what a compiler finds of thirteen units takes minutes."""
    options = choices(
        source_python=framework_pythons["torch"],
        target_python=framework_pythons["paddle"],
        no_compiler=True,
    )
    console = Console(quiet=True)
    made = bench("core_ops", "emulated", options, console, tmp_path / "work")
    mine = [c for c in parity_cases.load(made.cases) if Device.CUDA in c.devices]
    results = parity.compared(
        made.run, made.run.load(), tuple(mine), Device.CUDA, Evidence.EMULATED, console
    )
    assert len(results) > 500
    assert [(r.case, r.status, r.message) for r in results if r.status is not Status.OK] == []
    assert {(r.device, r.evidence) for r in results} == {(Device.CUDA, Evidence.EMULATED)}
    compared = [r.case for r in results if "refuse" not in r.case]
    assert {family(case) for case in compared} == FAMILIES
