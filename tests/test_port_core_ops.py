"""Our library of core operators, ported: every family's CUDA kernels agree, emulated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.porting import porter

pytestmark = [pytest.mark.real, pytest.mark.minutes]
FAMILIES = {
    *("norm", "softmax", "activation", "rope", "segment", "scatter", "index", "histogram"),
    *("top-k", "sampling", "quantisation", "attention", "nms", "deformable", "correlation"),
    "streams",
}


@pytest.fixture(scope="module")
def parity(own_home: Path) -> Any:
    fixture = str(ROOT / "fixtures/core_ops")
    _, migrated = porter(own_home, "migrate", fixture, "--no-compiler")  # which saves two minutes
    run = ["--run", migrated["run"], "--device", "emulated", "--no-shrink"]
    _, document = porter(own_home, "parity", "run", *run)
    return document


def family(case: str) -> str:
    return case.split()[0].rstrip(":")


def test_every_emulated_case_agrees(parity: Any) -> None:
    assert (parity["failed"], parity["skipped"]) == (0, 0), [
        case for case in parity["cases"] if case["status"] != "ok"
    ][:3]
    assert parity["passed"] > 500


def test_every_family_has_results_of_its_cuda_kernels(parity: Any) -> None:
    agreed = [case for case in parity["cases"] if case["status"] == "ok"]
    assert {(case["device"], case["evidence"]) for case in agreed} == {("cuda", "emulated")}
    compared = [case for case in agreed if "refuse" not in case["case"]]
    assert {family(case["case"]) for case in compared} == FAMILIES
