"""The emulated NPU: the ACL runtime that stands in for CANN's, alone and under torch_npu."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from porter.build import ascend_emulation, environment
from porter.emulators.npu import toolkit
from porter.emulators.npu.package import build_package
from porter.errors import EnvironmentFailed
from porter.targets.protocol import Environment
from tests.conftest import CACHE, ROOT
from tests.system import need

DATA = Path(__file__).parent / "data" / "emulated_ascend"
# An extension is ported to an emulated NPU by test_cuda_to_ascend.py, in each run.
pytestmark = [pytest.mark.real, pytest.mark.long]


@pytest.fixture(scope="module")
def folder() -> Path:
    need("g++")
    return toolkit(CACHE)


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An overlay of torch_npu's environment that has the emulated NPU."""
    made = environment.overlay(
        ascend_emulation.base(home=CACHE), tmp_path_factory.mktemp("npu") / "cell"
    )
    ascend_emulation.install(made, CACHE)
    return made


def runtime(folder: Path, **variables: str) -> list[str]:
    result = subprocess.run(
        [sys.executable, DATA / "runtime_runs.py", folder / "lib64" / "libascendcl.so"],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


STREAMS = {  # -> seen when streams are late
    "without waiting": "not yet",
    "another stream": "not yet",
    "its stream": "written",
    "by an event": "written",
    "by an event before": "not yet",
    "the device": "written",
    "destroyed": "written",
}


def test_the_runtime_knows_its_memory_and_says_what_is_wrong(folder: Path) -> None:
    past = "emulated NPU: memory was written past the end of an allocation of 100 bytes"
    lines = runtime(folder)
    assert lines == [
        "to the device: 0",
        "more than there is room for: 107000 emulated NPU: a copy of 100 bytes to a place for 99",
        "past the end: 107000 emulated NPU: a copy of 100 bytes that goes past "
        "memory of the device of 100 bytes, at byte 1",
        "free: 0",
        "freed: 107000 emulated NPU: a copy of memory that was freed: "
        "memory that was freed, 100 bytes, at byte 0",
        "free again: 107000 emulated NPU: aclrtFree of memory that was freed before",
        "free of the host's: 107000 emulated NPU: aclrtFree of what aclrtMalloc did not give",
        "another device: 107000 emulated NPU: there is device 0 only, not 1",
        "an operator: 500002 emulated NPU: operator Add has no emulated kernel",
        "waited for: 507035 emulated NPU: operator Add has no emulated kernel",
        "pages: 207000 emulated NPU: aclrtMallocPhysical is not emulated",
        f"written past the end: 507035 {past}",
        f"a fault stays: 507035 {past}",
        "until a reset: 0",
        *(f"{way} written: 0" for way in STREAMS),
        "a stream that is gone: 107000 emulated NPU: a stream that does not exist, or no more",
    ]


def test_operators_of_cann_broadcast_and_take_the_types_they_have(folder: Path) -> None:
    libraries = [folder / "lib64" / f"{name}.so" for name in ("libascendcl", "libopapi")]
    result = subprocess.run(
        [sys.executable, DATA / "opapi_runs.py", *libraries], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    refused = 161002
    found = json.loads(result.stdout)
    assert math.isnan(found.pop("nan")[0])
    assert found == {
        "broadcast": [21, 22, 23, 41, 42, 43],
        "too small a result": refused,
        "in place": [3, 6, 9],
        "integers": [49, 64],
        "wide integers": [2**60 + 1, -3],
        "integers to float": [3.5, -4],
        "float to integers": refused,
        "integers of a function": refused,
    }


def test_late_streams_are_read_by_those_who_wait_for_them(folder: Path) -> None:
    lines = runtime(folder, PORTER_EMULATED_LATE="1")
    assert lines[14:-1] == [f"{way} {seen}: 0" for way, seen in STREAMS.items()]


@pytest.mark.parametrize("late", ["0", "1"])
def test_torch_npu_runs_and_says_what_ran_on_the_cpu(
    cell: Environment, tmp_path: Path, late: str
) -> None:
    counts = tmp_path / "counts"
    result = subprocess.run(
        [cell.python, DATA / "torch_npu_runs.py"],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PORTER_EMULATED_LATE": late,
            "PORTER_EMULATED_COUNTS": str(counts),
        },
    )
    assert result.returncode == 0, result.stdout + result.stderr
    *lines, counted = result.stdout.splitlines()
    assert "WRONG" not in result.stdout, result.stdout
    assert sum(line.startswith("ok ") for line in lines) == 25
    found = json.loads(counted)
    assert found["aten::gelu"] == found["aten::gelu_backward"] == 1
    assert "aten::view" not in found, "no numbers are computed"
    assert json.loads(counts.read_text())["cpu"].items() >= found.items()


def test_only_torch_npu_and_paddle_are_given_an_npu(tmp_path: Path) -> None:
    other = Environment(python=tmp_path, framework="torch", version="2.13.0", build="cpu")
    with pytest.raises(EnvironmentFailed, match="paddle and torch_npu, not for torch"):
        ascend_emulation.install(other)


def test_a_project_by_three_routes_passes_its_own_tests(
    cell: Environment, built: Path, tmp_path: Path
) -> None:
    counts = tmp_path / "counts"
    result = subprocess.run(
        [cell.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=built,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "ASCEND_CUSTOM_OPP_PATH": str(built / "vendor"),
            "PORTER_EMULATED_LATE": "1",
            "PORTER_EMULATED_COUNTS": str(counts),
        },
    )
    assert result.returncode == 0 and "83 passed" in result.stdout, result.stdout + result.stderr
    kernels = json.loads(counts.read_text().splitlines()[-1])["kernel"]
    assert set(kernels) == {"add_custom", "add_direct_kernel<T>"}


@pytest.fixture(scope="module")
def built(cell: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture `ascend_add` with its operator package, built by its own build script."""
    project = tmp_path_factory.mktemp("built") / "ascend_add"
    shutil.copytree(ROOT / "fixtures" / "ascend_add", project)
    own = ascend_emulation.folder(cell, CACHE)
    opp = project / "opp"
    (operator,) = build_package(
        [opp / "op_host" / "add_custom.cpp"], opp / "op_kernel", project / "vendor", own
    )
    assert (operator.name, operator.kernel) == ("AddCustom", "add_custom")
    assert operator.fields == [("uint32_t", "length", 1), ("uint32_t", "tile", 1)]
    variables = ascend_emulation.variables(own, os.environ["PATH"])
    result = subprocess.run(
        [cell.python, "setup.py", "build_ext", "--inplace"],
        cwd=project,
        capture_output=True,
        text=True,
        env={**os.environ, **variables, "CFLAGS": "-O0 -g0", "CXXFLAGS": "-O0 -g0"},
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return project


def test_a_package_without_a_kernel_is_refused(folder: Path, tmp_path: Path) -> None:
    host = ROOT / "fixtures" / "ascend_add" / "opp" / "op_host" / "add_custom.cpp"
    with pytest.raises(EnvironmentFailed, match=r"AddCustom has no kernel add_custom\.cpp"):
        build_package([host], tmp_path, tmp_path / "vendor", folder)


def test_bisheng_says_what_it_cannot_do(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "cube.asc"
    source.write_text('#include "kernel_operator.h"\nvoid f() { AscendC::Mmad(1); }\n')
    command = [
        folder / "bin" / "bisheng",
        "--npu-arch=dav-2201",
        "-c",
        source,
        "-o",
        tmp_path / "o",
    ]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode != 0
    assert f"{source}:2: warning: not emulated: the cube unit" in result.stderr
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True)
    assert version.stdout.startswith("porter's bisheng")
