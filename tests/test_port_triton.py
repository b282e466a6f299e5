"""Our fixtures with Triton kernels, ported whole: compiled ones, and autotuned ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.console import Console
from porter.stages.options import Options
from tests.conftest import ROOT
from tests.mutants.__main__ import run
from tests.mutants.lists import load
from tests.porting import porter, without_the_unit

pytestmark = pytest.mark.real


@pytest.mark.long
def test_triton_kernels_are_ported_and_interpreted(own_home: Path) -> None:
    _code, document = porter(own_home, "port", str(ROOT / "fixtures/triton_rows"))
    assert document["verdict"] in ("PORTED", "RUNS"), document["reasons"]
    tests, parity = document["tests"], document["parity"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == len(tests["emulated"]) == 4
    assert tests["lost"] == [] and not document["residue"] and not document["open"]
    assert parity["passed"] > 50 and parity["failed"] == 0
    assert {case["evidence"] for case in parity["cases"]} == {"emulated"}


@pytest.mark.long
def test_compiled_triton_kernels_are_ported_and_run_eagerly(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/triton_compiled"))
    assert (code, document["verdict"]) == (1, "PORTED"), document["reasons"]
    assert document["devices"]["cpu"]["verdict"] == "PORTED"
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == 18
    assert tests["lost"] == [] and tests["target"]["failed"] == 0
    assert len(tests["eager"]) > 12 and len(tests["emulated"]) > 12
    assert not document["residue"]
    limits = [item for item in document["open"] if "compiled_triton_kernel" in json.dumps(item)]
    assert len(limits) == len(document["open"]) == 3
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / "fixtures/triton_compiled.patch").read_text()


@pytest.mark.long
def test_autotuned_triton_kernels_with_autograd_are_ported_and_interpreted(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/triton_norms"))
    assert (code, document["devices"]["cpu"]["verdict"]) == (1, "RUNS"), document["reasons"]
    assert document["devices"]["cuda"]["verdict"] == "PATCHED"
    assert "Triton kernels interpreted on the CPU" in str(document["devices"]["cpu"]["reasons"])
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == len(tests["emulated"]) == 10
    assert tests["lost"] == [] and not document["residue"] and not document["open"]
    assert {case["evidence"] for case in document["parity"]["cases"]} == {"emulated"}
    assert document["parity"]["passed"] > 100 and document["parity"]["failed"] == 0
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / "fixtures/triton_norms.patch").read_text()


@pytest.mark.long
def test_faults_planted_in_what_was_ported_are_found(
    own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_HOME", str(own_home))
    kinds = {"swapped arguments", "off-by-one tail", "missing gradient"}
    faults = [mutant for mutant in load("triton_compiled") if mutant.kind in kinds]
    report = run({"triton_compiled": faults}, Options(), Console(quiet=True), tmp_path)
    phases = [outcome.phase for outcome in report.outcomes]
    assert phases == ["values", "values", "gradient"], report.encoded()
    assert report.good
