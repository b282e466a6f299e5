"""Operators of torch as plugins of MindSpore, built and compared with torch; and plugins alone."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from porter.build import environment
from porter.errors import PorterError
from porter.model import Device
from porter.targets.mindspore import TARGET
from tests.conftest import CACHE, ROOT
from tests.porting import porter

pytestmark = [pytest.mark.real, pytest.mark.long]

FIXTURES = ROOT / "fixtures"
ALONE = {**os.environ, "GIT_CEILING_DIRECTORIES": "/"}  # no repository around is meant
EMULATED = ("--device", "emulated")


@pytest.fixture(scope="module", autouse=True)
def mindspore() -> Path:
    """The environment that porter makes: 0.8 GB to download, 2.8 GB installed."""
    try:
        spec = TARGET.environment(TARGET.default_version, Device.CPU)
        return environment.prepare(spec, TARGET, home=CACHE).python
    except PorterError as error:
        pytest.skip(f"no environment with MindSpore can be made: {error}")


def ported(home: Path, tree: Path, *options: str) -> Any:
    """What a port says, as a user types it."""
    _, document = porter(home, "port", str(tree), "--target", "mindspore", *options)
    return document


def failed(document: Any) -> list[str]:
    return [c["case"] for c in document["parity"]["cases"] if c["status"] != "ok"]


@pytest.mark.parametrize(
    ("name", "options", "verdict"),
    [
        ("row_ops", (), "RUNS"),
        ("advance_step", (), "PORTED"),
        ("ascend_advance_step", EMULATED, "RUNS"),
        ("ascend_gelu", EMULATED, "RUNS"),
        ("ascend_rms_norm", EMULATED, "RUNS"),
    ],
)
def test_every_case_agrees_with_torch(
    own_home: Path, name: str, options: tuple[str, ...], verdict: str
) -> None:
    document = ported(own_home, FIXTURES / name, *options)
    parity = document["parity"]
    assert parity["passed"] == len(parity["cases"]) > 15, failed(document)
    (device,) = {case["device"] for case in parity["cases"]}
    assert document["devices"][device]["verdict"] == verdict, document["reasons"]
    gradients = [c for c in parity["cases"] if "gradient" in c["case"]]
    assert bool(gradients) == ("advance_step" not in name)
    check_tests(document)


def check_tests(document: Any) -> None:
    """No test fails but for what MindSpore cannot do on a CPU: much of bfloat16, and sums of no
    elements; and no other is lost but skipped ones, each of which has its reason."""
    tests = document["tests"]
    assert tests["source"]["failed"] == tests["target"]["errors"] == 0
    causes = [one for one in tests["lost_by_cause"] if "not converted: " not in one["message"]]
    failing = [name for one in causes for name in one["tests"]]
    assert all("bfloat16" in name or "[(0, 8)-weighted" in name for name in failing), causes
    skipped = tests["target"]["skipped"] - tests["source"]["skipped"]
    assert len(tests["lost"]) == tests["target"]["failed"] + skipped
    assert tests["target"]["passed"] == tests["source"]["passed"] - len(tests["lost"])
    assert tests["target"]["passed"] > tests["source"]["passed"] / 2


def test_operators_that_are_not_in_the_plugin_fail_their_cases(own_home: Path) -> None:
    document = ported(own_home, FIXTURES / "ascend_add", *EMULATED)
    for route in ("by aclnn", "by a launch"):
        converted = [c for c in document["parity"]["cases"] if route in c["case"]]
        assert len(converted) > 30 and {c["status"] for c in converted} == {"ok"}
    check_tests(document)
    assert any("not converted" in why and "add_yaml" in why for why in document["reasons"])
    assert document["verdict"] == "RUNS"


def test_a_plugin_whose_defects_are_mended_passes_its_tests(own_home: Path, tmp_path: Path) -> None:
    tree = tmp_path / "wrong"
    shutil.copytree(
        FIXTURES / "mindspore_wrong", tree, ignore=shutil.ignore_patterns("__pycache__")
    )
    before = ported(own_home, tree)
    assert before["verdict"] in ("STUCK", "PATCHED"), before["reasons"]
    for name in ("mindspore_wrong.patch", "mindspore_wrong.byhand.patch"):
        subprocess.run(["git", "apply", str(FIXTURES / name)], cwd=tree, check=True, env=ALONE)
    after = ported(own_home, tree)
    assert after["verdict"] == "PORTED", after["reasons"]
    assert "3 tests passed" in after["reasons"][0]
