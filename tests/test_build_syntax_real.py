"""The compiler as finder against Paddle's real headers, g++ and nvcc."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.build import cuda_headers, environment
from porter.build.extensions import CompileUnit
from porter.build.syntax import Checked, check_units
from porter.build.units import compilers
from porter.model import Device
from porter.targets import TARGETS
from porter.unit.installed import read_headers
from porter.unit.parts import absent, load_script
from porter.unit.pieces import pieces
from porter.unit.render import render
from tests.conftest import ROOT

pytestmark = pytest.mark.real

# As a piece's parts are marked while porter probes.
UNIT = """#pragma once
#include <torch/extension.h>

namespace at {

// porter: at::twice(Tensor)
[[deprecated("porter:at::twice(Tensor)")]] inline Tensor twice(const Tensor& x) { return x; }

// porter: at::both(T)
template <class T>
[[deprecated("porter:at::both(T)")]] Tensor both(const T& x) { return twice(x); }

#ifdef __CUDACC__
// porter: at::bound(int)
[[deprecated("porter:at::bound(int)")]] __device__ inline int bound(int x) { return x; }
#endif

}  // namespace at
"""
SOURCE = """#include <torch/torch.h>
#include <torch/library.h>
at::Tensor f{0}(at::Tensor x) {{
  x.of_no_library();
  return at::both(x);
}}
TORCH_LIBRARY_FRAGMENT(TORCH_EXTENSION_NAME, m) {{ m.def("f{0}", &f{0}); }}
"""
KERNEL = """#include <torch/torch.h>
template <typename scalar_t>
__global__ void kernel(const scalar_t* x, int n) {
  int i = at::bound(threadIdx.x), k = unknown<scalar_t>(n);
}
at::Tensor f(at::Tensor x) {
  kernel<float><<<1, 32>>>(x.data_ptr<float>(), 3);
  x.of_no_library();
  return at::both(x);
}
"""


def checked(
    root: Path, units: list[CompileUnit], pythons: Mapping[str, Path], device: Device
) -> tuple[Checked, ...]:
    (root / "unit" / "torch").mkdir(parents=True)
    (root / "unit" / "torch" / "torch.h").write_text(UNIT)
    paddle = TARGETS["paddle"]
    base = environment.use(pythons["paddle"], paddle, root)
    tools = compilers(device, base.python, root / "logs")
    return check_units(
        root / "project", units, base, paddle, [root / "unit"], root / "kept",
        device=device, tools=tools, jobs=1,
    )  # fmt: skip


@pytest.mark.long
def test_units_are_checked_with_one_precompiled_header(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "project").mkdir()
    for n in range(4):
        (tmp_path / "project" / f"{n}.cpp").write_text(SOURCE.format(n))
    flags = ("-Wall", "-Werror", "-O3")
    names = [f"-DTORCH_EXTENSION_NAME=e{n}" for n in range(4)]
    units = [
        CompileUnit(path=f"{n}.cpp", extension="e", flags=flags, defines=(name,))
        for n, name in enumerate(names)
    ]
    found = checked(tmp_path, units, framework_pythons, Device.CPU)
    for n, one in enumerate(found):
        (error,) = one.diagnostics
        assert (error.path, error.line, error.column) == (f"{n}.cpp", 4, 5)
        assert (error.scope, error.name) == ("at::Tensor", "of_no_library")
        assert one.used == {"at::both(T)"}
        assert ("at::both(T)", "at::twice(Tensor)") in one.edges
    assert len(list((tmp_path / "kept" / "pch").glob("*/*.gch"))) == 1
    logs = (path.read_text() for path in (tmp_path / "kept" / "logs").glob("*-host.log"))
    assert not any("not used because" in log for log in logs)


@pytest.mark.long
def test_a_kernel_is_checked_on_both_its_sides(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "k.cu").write_text(KERNEL)
    flags = ("-O3", "-gencode", "arch=compute_80,code=sm_80", "-Xcompiler", "-Wall")
    unit = CompileUnit(path="k.cu", extension="e", flags=flags)
    (found,) = checked(tmp_path, [unit], framework_pythons, Device.CUDA)
    if cuda_headers.toolkit(tmp_path / "logs") is None:
        assert "nvcc" in found.reason
        return
    places = {(d.line, d.column, d.name) for d in found.diagnostics}
    assert (8, 5, "of_no_library") in places
    assert (4, 39, "unknown") in places
    assert found.used == {"at::both(T)", "at::bound(int)"}
    assert ("at::both(T)", "at::twice(Tensor)") in found.edges


def test_the_headers_of_all_pieces_compile_as_they_are_marked(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    paddle = TARGETS["paddle"]
    base = environment.use(framework_pythons["paddle"], paddle, tmp_path)
    compat = paddle.compile_arguments(base, cuda_source=False, device=Device.CPU).compat
    every = pieces(ROOT / "rules" / "paddle" / "polyfills")
    parts = absent([part for piece in every for part in piece.parts], compat)
    for path, text in render(parts, marked=True, installed=read_headers(parts, compat)).items():
        (tmp_path / "own" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "own" / path).write_text(text)
    load_script()["write"](str(tmp_path / "unit"), str(tmp_path / "own"), compat)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.cpp").write_text("#include <torch/extension.h>\n")
    (found,) = check_units(
        tmp_path / "project", [CompileUnit(path="a.cpp", extension="e")], base, paddle,
        [tmp_path / "unit"], tmp_path / "kept", device=Device.CPU,
        tools=compilers(Device.CPU, base.python, tmp_path / "logs"), jobs=1,
    )  # fmt: skip
    assert not found.reason
    assert [(each.path, each.line, each.message) for each in found.diagnostics] == []
