"""The main job, whole: our fixture repository ported to real paddle, as `make demo` does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import ROOT
from tests.invariants import compare_trees
from tests.porting import README, TUTORIAL, find_shown, porter, said_of_vecops
from tests.system import need

pytestmark = pytest.mark.real
SCHEMA = json.loads((ROOT / "docs/reference/report.schema.json").read_text())


SMALL = ("row_ops", "--device", "cpu")  # what nvcc compiles is the large one's
LARGE = pytest.param(("vecops",), marks=pytest.mark.long)


@pytest.fixture(scope="module", params=[SMALL, LARGE], ids=lambda param: param[0])
def ported(own_home: Path, request: pytest.FixtureRequest) -> tuple[int, Any]:
    fixture, *options = request.param
    source = str(ROOT / "fixtures" / fixture)
    return porter(own_home, "port", source, "--target", "paddle", *options)


def test_the_fixture_is_ported(ported: tuple[int, Any]) -> None:
    _, document = ported
    assert document["devices"]["cpu"]["verdict"] == "PORTED", document["reasons"]
    assert document["verdict"] == "PORTED"


def test_the_document_follows_its_schema(ported: tuple[int, Any]) -> None:
    jsonschema.validate(ported[1], SCHEMA)


def test_its_code_ran_in_the_sandbox(ported: tuple[int, Any]) -> None:
    need("bwrap")
    assert ported[1]["isolation"] == "bubblewrap"


def test_no_test_is_lost_and_the_same_number_passes(ported: tuple[int, Any]) -> None:
    tests = ported[1]["tests"]
    assert tests["lost"] == []
    assert tests["source"]["passed"] == tests["target"]["passed"] >= 18
    assert tests["patched_source"]["passed"] == tests["source"]["passed"]
    assert tests["target"]["failed"] == tests["target"]["errors"] == 0


@pytest.mark.parametrize("ported", [LARGE], indirect=True)
def test_readme_and_tutorial_show_what_it_says(ported: tuple[int, Any], own_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "porter", "report", "--run", ported[1]["run"]],
        capture_output=True,
        text=True,
        env={**os.environ, "PORTER_HOME": str(own_home), "COLUMNS": "1000"},
    )
    assert done.returncode == ported[0] == 0
    (block,) = re.findall(r"```\n(PORTED — .*?)```", TUTORIAL.read_text(), re.DOTALL)
    for shown in (said_of_vecops(README), said_of_vecops(TUTORIAL), block):
        assert find_shown(shown, done.stdout) == ""


@pytest.mark.parametrize("ported", [LARGE], indirect=True)
def test_tests_that_depend_on_a_polyfilled_check_are_listed(ported: tuple[int, Any]) -> None:
    tests = ported[1]["tests"]
    file, checks = "tests/test_functional.py", tests["polyfilled_checks"]
    assert checks["torch.autograd.gradcheck"] == [f"{file}::test_square_relu_by_finite_differences"]
    assert f"{file}::test_add_bias" in checks["torch.testing.assert_close"]
    assert f"{file}::test_axpy_of_nothing" not in checks["torch.testing.assert_close"]
    assert checks["torch.equal"] and tests["scripted"] == [
        f"{file}::test_axpy_of_a_scripted_result"
    ]


def test_the_patch_is_a_few_lines_but_for_vendored_pieces(ported: tuple[int, Any]) -> None:
    patch, vendored = ported[1]["patch"], ported[1]["delivery"] == "vendored"
    assert (patch["added"] + patch["removed"] > 20) is vendored
    assert (patch["compat_wheel"] is None) is vendored


def test_the_unmodified_tree_passes_what_it_can(ported: tuple[int, Any]) -> None:
    tests = ported[1]["tests"]
    if ported[1]["delivery"] == "vendored":
        assert tests["unmodified"] is None
        return
    needed = set(tests["by_patch"])
    assert tests["unmodified"]["passed"] == tests["target"]["passed"] - len(needed)
    found, parity = ported[1]["unmodified"], ported[1]["parity"]
    assert found["verdict"] in ("RUNS", "PORTED")
    assert found["parity"]["passed"] == parity["passed"] - len(found["cases_by_patch"])


def test_parity_cases_ran_and_agree(ported: tuple[int, Any]) -> None:
    parity = ported[1]["parity"]
    assert parity["passed"] > 3
    assert parity["failed"] == 0


@pytest.mark.parametrize("ported", [LARGE], indirect=True)
def test_cases_made_of_the_tests_calls_agree_too(
    ported: tuple[int, Any], own_home: Path, tmp_path: Path
) -> None:
    run, cases = ported[1]["run"], tmp_path / "cases.toml"
    code, made = porter(own_home, "parity", "init", "--run", run, "-o", str(cases))
    assert code == 0 and made["recorded"] > 30
    assert made["left_out"] == {"vecops._C:round_up": "it accepts no tensors"}
    assert 'call = "torch.ops.vecops.scale_add"' in cases.read_text()
    code, found = porter(own_home, "parity", "run", "--run", run, "--parity", str(cases))
    assert (code, found["failed"], found["skipped"]) == (0, 0, 0)
    assert found["passed"] == made["recorded"] + made["signatures"]


@pytest.mark.long
def test_its_wheel_is_for_people_without_torch(
    ported: tuple[int, Any], own_home: Path, tmp_path: Path
) -> None:
    code, made = porter(own_home, "wheel", "--run", ported[1]["run"], "-o", str(tmp_path))
    assert (code, made["problem"]) == (0, "")
    assert Path(made["path"]).parent == tmp_path and Path(made["path"]).is_file()
    assert made["added"][0] == "paddlepaddle>=3.3.1,<3.4"
    assert any(text.startswith("torch") for text in made["removed"])
    assert not any(text.startswith("torch") for text in made["requires"])
    (name,) = made["imported"]
    assert name.replace("_", "-") in made["installed"] and "torch" not in made["installed"]


@pytest.mark.long
def test_a_bundle_runs_without_network_and_the_other_framework(
    ported: tuple[int, Any],
    own_home: Path,
    tmp_path: Path,
    framework_pythons: Mapping[str, Path],
) -> None:
    """A machine with the target only: the same tests and cases, and nothing of porter's home but
    objects, so that what was compiled once is not compiled again."""
    run, python = ported[1]["run"], framework_pythons["paddle"]
    home = {**os.environ, "PORTER_HOME": str(own_home)}
    packed = [sys.executable, "-m", "porter", "bundle", "--run", run, "-o", "b.tar.gz"]
    subprocess.run(packed, cwd=tmp_path, env={**home, "PYTHONPATH": str(ROOT)}, check=True)
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    (there,) = tmp_path.glob("porter-bundle-*")
    script = [python, "run.py", "--device", "cpu", "--target-python", python]
    plain = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    (tmp_path / ".cache/porter").mkdir(parents=True)
    (tmp_path / ".cache/porter/objects").symlink_to(own_home / "objects")
    subprocess.run(script, cwd=there, env=plain, check=False)
    before = ported[1]
    _, after = porter(own_home, "report", "--run", run, "--import", str(there / "result.tar.gz"))
    assert after["devices"] == before["devices"]
    assert after["tests"]["target"] == before["tests"]["target"]
    found = [
        [(case["case"], case["status"]) for case in document["parity"]["cases"]]
        for document in (before, after)
    ]
    assert found[0] == found[1]
    assert "ran on another machine: cpu" in after["notes"]


@pytest.mark.parametrize("ported", [LARGE], indirect=True)
def test_cuda_is_never_called_more_than_built(ported: tuple[int, Any]) -> None:
    assert ported[1]["devices"]["cuda"]["verdict"] in ("BUILDS", "PATCHED")
    cuda = [b for b in ported[1]["builds"] if b["device"] == "cuda"]
    assert all(build["evidence"] == "compiled" for build in cuda)


def test_the_exit_code_says_whether_something_remains(ported: tuple[int, Any]) -> None:
    code, document = ported
    open_ones = document["open"] or document["residue"] or document["crashes"]
    assert code == (1 if open_ones else 0)


def test_the_patch_keeps_the_invariants(ported: tuple[int, Any], own_home: Path) -> None:
    run = own_home / "runs" / ported[1]["run"]
    problems, changed = compare_trees(run / "base", run / "tree")
    assert problems == []
    assert changed == ported[1]["patch"]["files"] > 0


def test_git_takes_the_patch_on_a_clean_checkout(
    ported: tuple[int, Any], own_home: Path, tmp_path: Path
) -> None:
    run = own_home / "runs" / ported[1]["run"]
    clone = tmp_path / "clone"
    subprocess.run(["cp", "-r", str(run / "base"), str(clone)], check=True)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    for command in (
        [*git, "init", "-q"],
        [*git, "add", "-A", "-f"],
        [*git, "commit", "-q", "--allow-empty", "-m", "x"],  # it has the history of the tree
        [*git, "apply", "--check", ported[1]["patch"]["path"]],
        [*git, "am", "-q", *ported[1]["patch"]["series"]],
    ):
        subprocess.run(command, cwd=clone, check=True)
    problems, _ = compare_trees(run / "tree", clone)
    assert problems == []


@pytest.mark.long
def test_a_second_migration_changes_nothing(ported: tuple[int, Any], own_home: Path) -> None:
    tree = own_home / "runs" / ported[1]["run"] / "tree"
    porter(own_home, "analyze", str(tree))
    vendor = ["--vendor"] if ported[1]["delivery"] == "vendored" else []
    _, document = porter(own_home, "migrate", str(tree), *vendor)
    assert document["patch"]["files"] == 0
