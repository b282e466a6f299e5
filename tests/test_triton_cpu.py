"""The harness that interprets Triton kernels on the CPU, and what porter says of its results."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from porter.emulators import triton_cpu
from porter.model import (
    BuildResult,
    Cell,
    Device,
    Evidence,
    Outcome,
    ParityResult,
    ProjectFacts,
    Status,
    SuiteResult,
    Tree,
    Verdict,
)
from porter.run import verdict
from porter.suite.run import run_suite
from tests.conftest import CACHE

KERNELS = Path(__file__).parent / "data" / "triton_kernels.py"
TRITON = "triton==3.9.0"
WITH_TRITON = ProjectFacts(kernels=("triton",))
PATCHED = Cell(Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE)


def test_only_cells_of_triton_libraries_on_the_cpu_interpret() -> None:
    assert triton_cpu.plugins(WITH_TRITON, Device.CPU) == (triton_cpu.PLUGIN,)
    assert triton_cpu.plugins(WITH_TRITON, Device.CUDA) == ()
    assert triton_cpu.plugins(ProjectFacts(kernels=("cuda",)), Device.CPU) == ()
    assert triton_cpu.plugins(None, Device.CPU) == ()


def test_the_harness_stands_alone() -> None:
    tree = ast.parse(triton_cpu.PLUGIN.read_text())
    named = {alias.name for n in tree.body if isinstance(n, ast.Import) for alias in n.names}
    named |= {str(n.module) for n in tree.body if isinstance(n, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= {*sys.stdlib_module_names}
    assert f'NOTE = "{triton_cpu.NOTE}"' in triton_cpu.PLUGIN.read_text()


def test_what_imports_no_triton_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "triton").mkdir()
    (tmp_path / "triton" / "__init__.py").write_text("raise ImportError('not here')\n")
    code = (
        f"import runpy, sys\nrunpy.run_path({str(triton_cpu.PLUGIN)!r})\nimport json\n"
        "try:\n    import triton\nexcept ImportError as error:\n    print(error)\n"
        "print('torch' in sys.modules, 'triton' in sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.stdout == "not here\nFalse False\n", done.stderr


# ------------------------------------------------------------ what is said of it


def verdict_of(passed: int, emulated: int, *cases: ParityResult) -> tuple[Verdict, str]:
    names = [f"t.py::test_{number}" for number in range(passed)]
    suites = [
        SuiteResult(
            cell=Cell(tree, environment, Device.CPU, Evidence.NATIVE),
            status=Status.OK,
            outcomes=dict.fromkeys(names, Outcome.PASSED),
            emulated=tuple(names[:emulated]),
        )
        for tree, environment in ((Tree.UNPATCHED, "torch"), (Tree.PATCHED, "paddle"))
    ]
    build = BuildResult(cell=PATCHED, status=Status.OK, modules=("a",))
    found = verdict.verdict_of(
        verdict.Results(
            device=Device.CPU,
            target="paddle",
            patched=True,
            builds=[build],
            suites=suites if passed else [],
            parity=cases,
        )
    )
    return found.verdict, found.reason


def case(evidence: Evidence) -> ParityResult:
    return ParityResult(case="c", device=Device.CPU, evidence=evidence, status=Status.OK)


def test_interpreted_kernels_alone_are_no_more_than_runs() -> None:
    for found, reason in (
        verdict_of(3, 3),
        verdict_of(0, 0, case(Evidence.EMULATED)),
        verdict_of(2, 2, case(Evidence.EMULATED)),
    ):
        assert found is Verdict.RUNS
        assert triton_cpu.SAID in reason


def test_what_passes_without_an_interpreter_counts_beside_it() -> None:
    found, reason = verdict_of(3, 1)
    assert found is Verdict.PORTED
    assert f"{triton_cpu.SAID} in 1 of the passing tests" in reason
    assert triton_cpu.SAID not in verdict_of(3, 0)[1]
    assert verdict_of(0, 0, case(Evidence.EMULATED), case(Evidence.NATIVE))[0] is Verdict.PORTED


# --------------------------------------------------------------------- the real ones


@pytest.fixture(scope="session")
def triton_pythons(
    framework_pythons: Mapping[str, Path],
) -> Mapping[str, SimpleNamespace]:
    """The frameworks' interpreters, and triton beside them."""
    found = {}
    for name, python in framework_pythons.items():
        folder = CACHE / f"{TRITON.replace('==', '-')}-py{sys.version_info.minor}"
        if not (folder / "triton").is_dir():
            options = ("--quiet", "--no-deps", "--target", str(folder))
            command = [str(python), "-m", "pip", "install", *options, TRITON]
            subprocess.run(command, check=True, capture_output=True)
        found[name] = SimpleNamespace(python=python, path=str(folder))
    return found


@pytest.mark.real
def test_kernels_give_what_they_say_under_both_frameworks(
    triton_pythons: Mapping[str, SimpleNamespace],
) -> None:
    said = {}
    for name, one in triton_pythons.items():
        words = ["paddle"] if name == "paddle" else []
        done = subprocess.run(
            [str(one.python), "-W", "ignore", str(KERNELS), str(triton_cpu.PLUGIN), *words],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": one.path},
        )
        assert done.returncode == 0, done.stderr
        said[name] = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said["torch"] == said["paddle"]
    assert "False" not in " ".join(said["torch"].values())
    found = said["torch"]
    assert found["scalars"] == "[12.5, 13.0, 13.5, 14.0]"
    assert found["mask"] == "[[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]"
    assert found["tuned"] == "12 [[12.0], 'BLOCK: 8']"
    assert found["again"] == "[24.0]"
    assert found["bfloat16"] == "[2.0, 2.0, 2.0]"
    assert found["target"] == "['cpu', 0]"
    assert len(found) > 18


SUITE = """
import torch
import triton
import triton.language as tl

@triton.autotune([triton.Config({"B": 4}), triton.Config({"B": 8})], key=[])
@triton.jit
def kernel(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.arange(0, B).to(tl.float32))

def test_kernel():
    x = torch.zeros(4)
    kernel[(1,)](x)
    assert x.tolist() == [0, 1, 2, 3]

def test_without():
    assert torch.zeros(4).sum() == 0
"""


@pytest.mark.real
@pytest.mark.parametrize("name", ["torch", "paddle"])
def test_a_suite_says_which_tests_had_kernels_interpreted(
    triton_pythons: Mapping[str, SimpleNamespace], tmp_path: Path, name: str
) -> None:
    one = triton_pythons[name]
    tests = tmp_path / "tree" / "tests"
    tests.mkdir(parents=True)
    enable = "import paddle\npaddle.enable_compat()\n" if name == "paddle" else ""
    (tests / "conftest.py").write_text(enable)
    (tests / "test_a.py").write_text(SUITE)
    cell = Cell(Tree.PATCHED, name, Device.CPU, Evidence.NATIVE)
    environment = {"PYTHONPATH": one.path}
    log = tmp_path / "logs" / "tests.log"
    arguments = (tests.parent, cell, one.python, None, WITH_TRITON, environment, log, 300)
    found = run_suite(*arguments)
    assert set(found.outcomes.values()) == {Outcome.PASSED}, found.messages
    assert found.emulated == ("tests/test_a.py::test_kernel",)
    assert found.polyfilled == {}
