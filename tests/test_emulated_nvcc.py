"""The stand-in for nvcc: what it makes of command lines that build systems write."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.cli.common import check
from porter.cli.options import Flags
from porter.emulators.cuda import nvcc
from porter.errors import UsageError
from porter.model import Device, Evidence
from porter.stages import build
from tests.test_stages_devices import KEPT

KERNEL = """#include "step.cuh"
__global__ void add(float *x) { x[threadIdx.x] += STEP; }
void go(float *x) { add<<<1, 32>>>(x); }
"""


def run(line: str, folder: Path, said: list[str] | None = None) -> int:
    said = [] if said is None else said
    library = folder / "toolkit" / "lib64" / "libcudart.so"
    return nvcc.main(line.split(), library, None, said.append, said.append)


def host(line: str) -> list[str]:
    return nvcc._read(line.split()).host


def test_options_of_the_devices_compiler_are_dropped() -> None:
    torch = (
        "-DX=1 --expt-relaxed-constexpr -gencode=arch=compute_80,code=sm_80 -gencode arch=a,code=b "
        "--use_fast_math -O2 -std=c++20 -lineinfo --threads 4 -Xptxas -v --ptxas-options=-v -w"
    )
    assert host(torch) == ["-D", "X=1", "-O2", "-std=c++20", "-w"]
    newer = (
        "--device-entity-has-hidden-visibility=false -static-global-template-stub=false "
        "-static-global-template-stub false -diag-error 20 --keep-dir /tmp --cudadevrt=none -g"
    )
    assert host(newer) == ["-g"]


def test_the_host_compilers_options_are_its_own() -> None:
    assert host("--compiler-options '-fPIC' -Xcompiler -Wall,-fopenmp -Xcompiler=-g") == [
        *("-fPIC", "-Wall", "-fopenmp", "-g")
    ]
    assert host("-Xlinker -rpath,/a") == ["-Wl,-rpath,/a"]


def test_what_is_read_is_named() -> None:
    command = nvcc._read(["-c", "a/b.cu", "-o", "x.o", "-Ifoo", "-isystem", "bar", "-I", "baz"])
    assert command.compiles and command.sources == [Path("a/b.cu")]
    assert command.output == Path("x.o")
    assert command.includes == [
        ("-I", Path("foo")),
        ("-isystem", Path("bar")),
        ("-I", Path("baz")),
    ]


def test_dependencies_have_two_spellings() -> None:
    long = "--generate-dependencies-with-compile --dependency-output a.d"
    assert host(long) == host("-MD -MF a.d") == ["-MD", "-MF", "a.d"]


def test_the_compiler_may_be_named_with_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cpp").write_text("int f() { return A; }\n")
    monkeypatch.setenv("CXX", "g++ -DA=1")
    assert run(f"-c {tmp_path}/a.cpp -o {tmp_path}/a.o", tmp_path) == 0
    (tmp_path / "own g++").write_text('#!/bin/sh\nexec g++ -DA=2 "$@"\n')
    (tmp_path / "own g++").chmod(0o755)
    monkeypatch.setenv("CXX", str(tmp_path / "own g++"))
    assert run(f"-c {tmp_path}/a.cpp -o {tmp_path}/a.o", tmp_path) == 0


def test_it_says_a_version_that_build_systems_read(tmp_path: Path) -> None:
    said: list[str] = []
    assert run("--version", tmp_path, said) == 0
    assert "release 13.0, V13.0" in said[0]


def test_device_code_is_refused(tmp_path: Path) -> None:
    said: list[str] = []
    assert run("-dlink a.o", tmp_path, said) == 1
    assert "device code" in said[0]


def test_a_kernel_becomes_an_object_and_its_dependencies_are_the_users_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "step.cuh").write_text("#define STEP 1\n")
    (tmp_path / "ops.cu").write_text(KERNEL + '__device__ void f() { asm("nop;"); }\n')
    line = f"-MD -MF ops.d -I{tmp_path}/include -c {tmp_path}/ops.cu -o ops.o -std=c++17 -O0"
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    assert run(line, tmp_path, said) == 0
    assert (tmp_path / "ops.o").stat().st_size > 0
    dependencies = (tmp_path / "ops.d").read_text()
    assert f"{tmp_path}/ops.cu" in dependencies
    assert f"{tmp_path}/include/step.cuh" in dependencies
    assert ".emulated/" not in dependencies
    assert "ops.cu(4): warning: not emulated: inline PTX" in "".join(said)


def test_a_header_may_include_the_next_of_its_name(tmp_path: Path) -> None:
    for name, text in (("own", "#include_next <a.h>\nint own;\n"), ("lib", "int next;\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.h").write_text(text)
    (tmp_path / "ops.cu").write_text("#include <a.h>\nint sum() { return own + next; }\n")
    folders = f"-I{tmp_path}/own -I{tmp_path}/lib"
    line = f"{folders} -c {tmp_path}/ops.cu -o {tmp_path}/ops.o"
    assert run(line, tmp_path) == 0


def test_emulated_is_cuda_with_another_evidence() -> None:
    chosen = check(Flags(device=["emulated"]))
    assert chosen.emulated and build.requested_devices(KEPT, chosen) == (Device.CUDA,)
    assert build.places(KEPT, chosen) == ((Device.CUDA, Evidence.EMULATED),)
    assert {cell.evidence for cell in build.plan_cells(KEPT, chosen)} == {Evidence.EMULATED}


def test_emulated_and_cuda_are_not_told_apart() -> None:
    with pytest.raises(UsageError, match="--device emulated replaces cuda"):
        check(Flags(device=["emulated", "cuda"]))


def test_the_cpu_runs_beside_it() -> None:
    chosen = check(Flags(device=["cpu", "emulated"]))
    assert build.places(KEPT, chosen) == (
        (Device.CPU, Evidence.NATIVE),
        (Device.CUDA, Evidence.EMULATED),
    )
