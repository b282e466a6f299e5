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


def test_functions_that_are_given_the_stream_launch_in_runners(
    own_home: Path, tmp_path: Path
) -> None:
    """The kernel of a fixture in a file of its own, with a function that is given addresses."""
    tree = tmp_path / "tree"
    shutil.copytree(
        FIXTURES / "ascend_advance_step", tree, ignore=shutil.ignore_patterns("__pycache__")
    )
    source = tree / "csrc" / "advance_step.asc"
    text = source.read_text().replace('#include "advance_step_kernel.h"\n', "")
    kernel = text[text.index("__global__") : text.index("namespace {")]
    addresses = ("sampled", "tables", "lengths", "tokens", "positions", "slots")
    numbers = ("count", "size", "columns")
    taken = [f"uint8_t *{name}" for name in addresses] + [f"int32_t {name}" for name in numbers]
    head = f"void launch_step(uint32_t cores, void *acl, {', '.join(taken)})"
    call = "advance_step_kernel<<<cores, nullptr, stream>>>("
    assert call in text
    host = text.replace(kernel, f"{head};\n\n")
    source.write_text(host.replace(call, "launch_step(cores, stream, "))
    launch = f"{call.replace('stream', 'acl')}{', '.join([*addresses, *numbers])});"
    (tree / "csrc" / "launch.asc").write_text(
        f'#include "advance_step_kernel.h"\n\n{kernel}{head} {{\n    {launch}\n}}\n'
    )
    script = (tree / "setup.py").read_text()
    both = '["csrc/advance_step.asc", "csrc/launch.asc"]'
    (tree / "setup.py").write_text(script.replace('["csrc/advance_step.asc"]', both))
    document = ported(own_home, tree, *EMULATED)
    assert document["verdict"] == "RUNS" and failed(document) == [], document["reasons"]
    assert document["tests"]["source"] == document["tests"]["target"]
    assert document["tests"]["lost"] == [] and document["open"] == []


def check_tests(document: Any) -> None:
    """No test fails but for MindSpore's sums of no elements, and its `copy`, which takes subnormal
    numbers for 0; and no other is lost but skipped ones, each of which has its reason."""
    tests = document["tests"]
    assert tests["source"]["failed"] == tests["target"]["errors"] == 0
    causes = [one for one in tests["lost_by_cause"] if "not converted: " not in one["message"]]
    failing = [name for one in causes for name in one["tests"]]
    known = (
        "[(0, 8)-weighted",
        "test_forward.py::test_every_value_between_minus_10_and_10[bfloat16]",
    )
    assert all(any(part in name for part in known) for name in failing), causes
    skipped = tests["target"]["skipped"] - tests["source"]["skipped"]
    assert len(tests["lost"]) == tests["target"]["failed"] + skipped
    assert tests["target"]["passed"] == tests["source"]["passed"] - len(tests["lost"])
    assert tests["target"]["passed"] > tests["source"]["passed"] / 2


def test_operators_by_every_route_are_in_the_plugin(own_home: Path) -> None:
    document = ported(own_home, FIXTURES / "ascend_add", *EMULATED)
    assert failed(document) == [], document["reasons"]
    assert len(document["parity"]["cases"]) > 100
    check_tests(document)
    assert document["verdict"] == "RUNS"


def test_operators_that_are_not_in_the_plugin_fail_their_cases(
    own_home: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(FIXTURES / "row_ops", tree, ignore=shutil.ignore_patterns("__pycache__"))
    (tree / "csrc" / "twice.cpp").write_text(
        "#include <torch/library.h>\n\n#include <ATen/ATen.h>\n\n"
        "static at::Tensor twice(const at::Tensor &x) { return x.mul(2); }\n\n"
        'TORCH_LIBRARY_FRAGMENT(row_ops, m) { m.def("twice(Tensor x) -> Tensor", &twice); }\n'
    )
    script = tree / "setup.py"
    own = '"csrc/rows.cpp"'
    script.write_text(script.read_text().replace(own, f'{own}, "csrc/twice.cpp"', 1))
    cases = tree / "porter.parity.toml"
    case = 'call = "torch.ops.row_ops.twice"\nargs = [{ shape = [4, 3] }]\n'
    cases.write_text(f'{cases.read_text()}\n[[case]]\nname = "twice"\n{case}')
    document = ported(own_home, tree)
    assert failed(document) == ["twice"] and len(document["parity"]["cases"]) == 23
    assert document["verdict"] == "RUNS"
    assert any("not converted" in why and "twice" in why for why in document["reasons"])


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
