"""The main job, whole: our fixture repository ported to real paddle, as `make demo` does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import CACHE, ROOT
from tests.invariants import compare_trees

pytestmark = pytest.mark.real
SCHEMA = json.loads((ROOT / "docs/reference/report.schema.json").read_text())


def porter(home: Path, *arguments: str, cwd: Path | None = None) -> tuple[int, Any]:
    """A command as a user types it; its exit code and JSON document."""
    import os

    done = subprocess.run(
        [sys.executable, "-m", "porter", *arguments, "--json"],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PORTER_HOME": str(home)},
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    for shared in ("envs", "objects", "cuda-headers"):
        (CACHE / shared).mkdir(parents=True, exist_ok=True)
        (home / shared).symlink_to(CACHE / shared)
    return home


@pytest.fixture(scope="module")
def ported(own_home: Path) -> Iterator[tuple[int, Any]]:
    yield porter(own_home, "port", str(ROOT / "fixtures/vecops"), "--target", "paddle")


def test_the_fixture_is_ported(ported: tuple[int, Any]) -> None:
    _, document = ported
    assert document["devices"]["cpu"] == "PORTED", document["reasons"]
    assert document["verdict"] == "PORTED"


def test_a_project_that_finds_torch_by_cmake_is_ported_as_it_is(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/cmake_pairs"))
    assert (code, document["verdict"]) == (0, "PORTED"), document["reasons"]
    assert document["units"]["cpp"]["compiled"] == 1
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == 5
    patched = Path(document["patch"]["path"]).read_text()
    assert "+++ b/CMakeLists.txt" not in patched and "+++ b/setup.py" in patched


def test_the_document_follows_its_schema(ported: tuple[int, Any]) -> None:
    jsonschema.validate(ported[1], SCHEMA)


def test_no_test_is_lost_and_the_same_number_passes(ported: tuple[int, Any]) -> None:
    tests = ported[1]["tests"]
    assert tests["lost"] == []
    assert tests["source"]["passed"] == tests["target"]["passed"] > 20
    assert tests["patched_source"]["passed"] == tests["source"]["passed"]
    assert tests["target"]["failed"] == tests["target"]["errors"] == 0


def test_tests_that_depend_on_a_polyfilled_check_are_listed(ported: tuple[int, Any]) -> None:
    tests = ported[1]["tests"]
    file, checks = "tests/test_functional.py", tests["polyfilled_checks"]
    assert checks["torch.autograd.gradcheck"] == [f"{file}::test_square_relu_by_finite_differences"]
    assert f"{file}::test_add_bias" in checks["torch.testing.assert_close"]
    assert f"{file}::test_axpy_of_nothing" not in checks["torch.testing.assert_close"]
    assert checks["torch.equal"] and tests["scripted"] == [
        f"{file}::test_axpy_of_what_a_scripted_function_gives"
    ]


def test_parity_cases_ran_and_agree(ported: tuple[int, Any]) -> None:
    parity = ported[1]["parity"]
    assert parity["passed"] > 3
    assert parity["failed"] == 0


def test_cuda_is_never_called_more_than_built(ported: tuple[int, Any]) -> None:
    assert ported[1]["devices"]["cuda"] in ("BUILDS", "PATCHED")
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
    for command in (
        ["git", "init", "-q"],
        ["git", "add", "-A", "-f"],
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
        ["git", "apply", "--check", ported[1]["patch"]["path"]],
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "am", "-q"]
        + ported[1]["patch"]["series"],
    ):
        subprocess.run(command, cwd=clone, check=True)
    problems, _ = compare_trees(run / "tree", clone)
    assert problems == []


def test_a_second_migration_changes_nothing(ported: tuple[int, Any], own_home: Path) -> None:
    tree = own_home / "runs" / ported[1]["run"] / "tree"
    porter(own_home, "analyze", str(tree))
    _, document = porter(own_home, "migrate", str(tree))
    assert document["patch"]["files"] == 0


def test_compiled_triton_kernels_are_ported_and_run_eagerly(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/triton_compiled"))
    assert (code, document["verdict"]) == (1, "PORTED"), document["reasons"]
    assert document["devices"]["cpu"] == "PORTED"
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == 18
    assert tests["lost"] == [] and tests["target"]["failed"] == 0
    assert len(tests["eager"]) > 12 and len(tests["emulated"]) > 12
    assert not document["residue"]
    limits = [item for item in document["open"] if "compiled_triton_kernel" in json.dumps(item)]
    assert len(limits) == len(document["open"]) == 3
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / "fixtures/triton_compiled.patch").read_text()


def test_autotuned_triton_kernels_with_autograd_are_ported_and_interpreted(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/triton_norms"))
    assert (code, document["devices"]["cpu"]) == (1, "RUNS"), document["reasons"]
    assert document["devices"]["cuda"] == "PATCHED"
    assert "Triton kernels interpreted on the CPU" in document["reasons"]["cpu"]
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == len(tests["emulated"]) == 10
    assert tests["lost"] == [] and not document["residue"] and not document["open"]
    assert {case["evidence"] for case in document["parity"]["cases"]} == {"emulated"}
    assert document["parity"]["passed"] == 2
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / "fixtures/triton_norms.patch").read_text()


def test_tilelang_kernels_are_ported_and_their_cuda_source_is_the_same(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/tilelang_relu"))
    assert (code, document["verdict"]) == (0, "PORTED"), document["reasons"]
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == 8
    assert tests["lost"] == [] and tests["patched_source"]["passed"] == 8
    assert document["parity"]["passed"] == 2  # one of them compares what is lowered
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / "fixtures/tilelang_relu.patch").read_text()


def test_operators_behind_tvm_ffi_are_ported_without_a_change_to_their_kernels(
    own_home: Path,
) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/tvm_ffi_add"))
    assert (code, document["verdict"]) == (0, "PORTED"), document["reasons"]
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == 10
    assert tests["lost"] == [] and tests["patched_source"]["passed"] == 10
    assert [item for item in document["missing"] if not item["answer"]] == []
    told = without_the_unit(Path(document["patch"]["path"]).read_text())
    assert told == (ROOT / "fixtures/tvm_ffi_add.patch").read_text()


def without_the_unit(patch: str) -> str:
    """The part of a patch that is about the repository's own files."""
    files = re.split(r"(?m)^(?=diff --git )", patch)
    return "".join(text for text in files[1:] if "_porter_compat" not in text.partition("\n")[0])
