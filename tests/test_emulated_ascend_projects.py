"""Whole projects for Ascend NPUs: each is built by its own script, with its package of operators,
and its own tests run on the emulated NPU.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from porter.build import ascend_emulation, environment
from porter.emulators.npu.package import Operator, build_package
from porter.errors import EnvironmentFailed
from porter.targets.protocol import Environment
from porter.targets.torch_npu.graph import examine
from tests.conftest import CACHE, ROOT
from tests.system import need

pytestmark = [pytest.mark.real, pytest.mark.long]

# Calls an operator without any of its inputs and outputs.
NO_TENSORS = """
import ctypes, sys
libraries = [sys.argv[1] + name for name in ("libascendcl.so", "libopapi.so")]
acl, _ = (ctypes.CDLL(path, ctypes.RTLD_GLOBAL) for path in libraries)
plan = ctypes.CDLL(sys.argv[2]).aclnnRmsNormCustomGetWorkspaceSize
acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
print(plan(None, None, ctypes.c_double(1e-6), None, None, None, None))
print(acl.aclGetRecentErrMsg().decode())
"""


WRONG = "ascend_wrong"
BY_HAND = {  # what its tests want of a person: exact numbers, any length, gradients, types refused
    "test_values",
    "test_every_value_between_minus_10_and_10",
    "test_layouts",
    "test_backward",
    "test_gradients_by_differences",
    "test_the_extensions_own_function_has_a_gradient",
    "test_opcheck",
    "test_compile_with_gradients",
    "test_other_types_are_refused",
}
ALONE = {**os.environ, "GIT_CEILING_DIRECTORIES": "/"}  # no repository around is meant


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An overlay of torch_npu's environment that has the emulated NPU."""
    need("g++")
    base = ascend_emulation.base(home=CACHE)
    made = environment.overlay(base, tmp_path_factory.mktemp("npu") / "cell")
    ascend_emulation.install(made, CACHE)
    return made


def packaged(
    cell: Environment, name: str, folder: Path, *patches: str, opp: str = "opp"
) -> tuple[Path, tuple[Operator, ...]]:
    """A copy of a fixture, with patches that lie beside it, its operator package in `vendor`, and
    the package's operators."""
    project = folder / name
    shutil.copytree(ROOT / "fixtures" / name, project)
    for patch in patches:
        file = ROOT / "fixtures" / patch
        subprocess.run(["git", "apply", file], cwd=project, check=True, env=ALONE)
    sources, own = project / opp, ascend_emulation.folder(cell, CACHE)
    host = sorted((sources / "op_host").glob("*.cpp"))
    return project, build_package(host, sources / "op_kernel", project / "vendor", own)


def set_up(cell: Environment, project: Path, *command: str) -> None:
    """Run a project's own build script, without optimisation."""
    result = built(cell, project, *command)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]


def built(cell: Environment, project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    own = ascend_emulation.folder(cell, CACHE)
    variables = ascend_emulation.variables(own, os.environ["PATH"])
    return subprocess.run(
        [cell.python, "setup.py", "-q", *command],
        cwd=project,
        capture_output=True,
        text=True,
        env={**os.environ, **variables, "CFLAGS": "-O0 -g0", "CXXFLAGS": "-O0 -g0"},
    )


def kernels_of_tests(cell: Environment, project: Path, passed: int, **variables: str) -> set[str]:
    """The kernels that ran when a project's tests passed, with late streams."""
    result, ran = outcome(cell, project, **variables)
    said = result.stdout + result.stderr
    assert result.returncode == 0 and f"{passed} passed" in said and "skipped" not in said, said
    return ran


def outcome(
    cell: Environment, project: Path, **variables: str
) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """What a project's tests said, with late streams, and the kernels that ran."""
    counts = project / "counts"
    result = subprocess.run(
        [cell.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", project / "tests"],
        cwd=project if not variables else project / "tests",
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "ASCEND_CUSTOM_OPP_PATH": str(project / "vendor"),
            "PORTER_EMULATED_LATE": "1",
            "PORTER_EMULATED_COUNTS": str(counts),
            **variables,
        },
    )
    return result, set(json.loads(counts.read_text().splitlines()[-1])["kernel"])


def test_a_whole_project_passes_its_own_tests_from_its_wheel(
    cell: Environment, tmp_path: Path
) -> None:
    project, operators = packaged(cell, "ascend_gelu", tmp_path)
    assert [operator.kernel for operator in operators] == ["gelu_custom", "gelu_custom_grad"]
    set_up(cell, project, "bdist_wheel")
    (wheel,) = (project / "dist").glob("ascend_gelu-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    ran = kernels_of_tests(cell, project, 97, PYTHONPATH=str(tmp_path / "installed"))
    assert ran == {"gelu_custom", "gelu_custom_grad"}
    x = {"shape": [3, 5], "grad": True}
    (found,) = examine(
        cell.python,
        ["ascend_gelu.graph"],
        [{"operator": "ascend_gelu::gelu", "args": [x], "grad": True}],
        tmp_path / "graphs",
        path=[tmp_path / "installed"],
        environment={"ASCEND_CUSTOM_OPP_PATH": str(project / "vendor")},
    )
    assert not found.problems and found.ran == "yes"
    nodes = [[node.type for node in graph if "Gelu" in node.type] for graph in found.graphs]
    assert nodes == [["GeluCustom"], ["GeluCustomGrad"]], "forward, backward"


def test_rows_of_any_length_and_an_input_left_out(cell: Environment, tmp_path: Path) -> None:
    project, (forward, backward) = packaged(cell, "ascend_rms_norm", tmp_path)
    assert [p.required for p in forward.inputs] == [True, False]
    assert forward.attributes == [("epsilon", "double")]
    folder, library = ascend_emulation.folder(cell, CACHE), "op_api/lib/libcust_opapi.so"
    said = subprocess.run(
        [sys.executable, "-c", NO_TENSORS, f"{folder}/lib64/", project / "vendor" / library],
        capture_output=True,
        text=True,
    )
    code, message = said.stdout.splitlines()
    assert code == "161002", "of parameters"
    assert message.endswith("aclnnRmsNormCustom is given no tensor for x")
    set_up(cell, project, "build_ext", "--inplace")
    assert kernels_of_tests(cell, project, 116) == {forward.kernel, backward.kernel}


def test_a_tutorials_kernel_compiles_once_it_is_mended(cell: Environment, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailed, match="does not compile"):
        packaged(cell, WRONG, tmp_path / "as it is", opp=".")
    _, (operator,) = packaged(cell, WRONG, tmp_path, f"{WRONG}.patch", opp=".")
    assert operator.kernel == "gelu_custom"


def test_a_tutorials_code_builds_and_passes_once_it_is_mended(
    cell: Environment, tmp_path: Path
) -> None:
    patches = (f"{WRONG}.patch", f"{WRONG}.byhand.patch")
    project, _ = packaged(cell, WRONG, tmp_path, *patches, opp=".")
    set_up(cell, project, "build_ext", "--inplace")
    assert kernels_of_tests(cell, project, 53) == {"gelu_custom", "gelu_direct_kernel"}
    found, empty = examine(
        cell.python,
        ["gelu_wrong.graph"],
        [
            {"operator": "gelu_wrong::gelu", "args": [{"shape": shape, "type": "float16"}]}
            for shape in ([3, 5], [0])
        ],
        tmp_path / "graphs",
        path=[project],
        environment={"ASCEND_CUSTOM_OPP_PATH": str(project / "vendor")},
    )
    assert not found.problems and not empty.problems and found.ran == empty.ran == "yes"
    (graph,) = found.graphs
    assert [node.type for node in graph if "Gelu" in node.type] == ["GeluCustom"]


def test_what_porter_mends_by_itself_builds_and_is_right_as_far_as_that_goes(
    cell: Environment, tmp_path: Path
) -> None:
    before = tmp_path / "as it is"
    shutil.copytree(ROOT / "fixtures" / WRONG, before)
    result = built(cell, before, "build_ext", "--inplace")
    assert result.returncode != 0
    assert "npu_cpp_extension.h: No such file" in result.stdout, "the first of what is missing"
    project, _ = packaged(cell, WRONG, tmp_path, f"{WRONG}.patch", opp=".")
    set_up(cell, project, "build_ext", "--inplace")
    result, _ = outcome(cell, project)
    failed = set(re.findall(r"^FAILED .*?::(\w+)", result.stdout, re.MULTILINE))
    assert "15 passed" in result.stdout and failed == BY_HAND, result.stdout
