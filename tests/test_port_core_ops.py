"""Our library of core operators, ported: every family's CUDA kernels agree, emulated."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.cli.common import check
from porter.cli.options import Flags
from porter.console import Console
from porter.model import Device, Evidence, Status
from porter.parity import cases as parity_cases
from porter.stages import parity
from tests.conftest import ROOT
from tests.mutants.__main__ import bench

pytestmark = [pytest.mark.real, pytest.mark.long]
FAMILIES = {
    *("norm", "softmax", "nms", "deformable", "correlation"),
    *("activation", "rope", "segment", "scatter", "index", "histogram"),
    *("top-k", "sampling", "quantisation", "attention", "streams"),
}


def family(case: str) -> str:
    return case.split()[0].rstrip(":")


def test_families_have_cuda_kernels_that_agree_emulated(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    """Built on the two sides that are compared, and nowhere else; with the pieces that names ask
    for, as what a compiler finds of thirteen units takes minutes."""
    project = tmp_path / "core_ops"
    shutil.copytree(ROOT / "fixtures" / "core_ops", project)
    options = check(
        Flags(
            source_python=framework_pythons["torch"],
            target_python=framework_pythons["paddle"],
            no_compiler=True,
        )
    )
    console = Console(quiet=True)
    made = bench(str(project), "emulated", options, console, tmp_path / "work")
    cases = parity_cases.load(project / "porter.parity.toml")
    mine = tuple(c for c in cases if Device.CUDA in c.devices and family(c.name) in FAMILIES)
    results = parity.compare_cases(
        made.run, made.run.load(), mine, Device.CUDA, Evidence.EMULATED, console
    )
    assert len(results) > 30 * len(FAMILIES)
    assert [(r.case, r.status, r.message) for r in results if r.status is not Status.OK] == []
    assert {(r.device, r.evidence) for r in results} == {(Device.CUDA, Evidence.EMULATED)}
    assert {family(r.case) for r in results if "refuse" not in r.case} == FAMILIES
