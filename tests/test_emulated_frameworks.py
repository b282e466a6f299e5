"""Extensions with emulated CUDA kernels under the real frameworks."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from porter import targets
from porter.emulators import triton_cpu
from porter.emulators.cuda.toolkit import toolkit
from porter.host.home import PACKAGE, rules_home
from porter.model import Device
from tests.conftest import CACHE
from tests.cpp_pieces import overlay
from tests.test_emulated import PARITY

CCCL = Path("/usr/local/cuda/include/cccl")
DATA = Path(__file__).parent / "data" / "emulated_frameworks"
WORKERS = triton_cpu.PLUGIN.parent
NO_OPERATORS = [  # as torch's and Paddle's builds of extensions say
    f"-D__CUDA_NO_{what}__"
    for what in ("HALF_OPERATORS", "HALF_CONVERSIONS", "BFLOAT16_CONVERSIONS", "HALF2_OPERATORS")
]
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
BESIDE = ["registration", "macros", "half", "complex", "math_types", "tensor_iterator"]
NAMES = overlay.closure(
    PIECES, [n for n in overlay.pieces(PIECES) if n.startswith("cuda_")] + BESIDE
)
pytestmark = [pytest.mark.real, pytest.mark.long]


def includes(name: str, root: Path, folder: Path) -> list[str]:
    if name == "torch":
        return ["-std=c++20", f"-isystem{root}/include"]
    compat = f"{folder}/paddle/paddle/phi/api/include/compat"
    folders = (f"{folder}/paddle", f"{folder}/paddle/third_party", compat)
    names = [f"-isystem{each}" for each in (*folders, f"{compat}/torch/csrc/api/include")]
    return ["-std=c++17", "-DPADDLE_WITH_CUDA", "-DPADDLE_WITH_CUSTOM_KERNEL", *names]


@functools.cache
def compiled(name: str, python: Path, out: Path, unit: str) -> tuple[Path, Path]:
    """The toolkit, and a unit of ours compiled with it; for Paddle with all CUDA pieces."""
    found = f"import importlib.util as u; print(u.find_spec('{name}').origin)"
    asked = subprocess.run([python, "-c", found], capture_output=True, text=True, check=True)
    root = Path(asked.stdout.strip()).parent
    half = targets.framework(name).stand_in(Device.CUDA)
    assert half is not None
    folder = toolkit(CACHE, name, half, root, CCCL if CCCL.is_dir() else None)
    library, output = out / f"{unit}_{name}.so", out / f"{unit}_{name}.o"
    options = [*NO_OPERATORS, "-O0", "-Xcompiler", "-fPIC", f"-I{sysconfig.get_paths()['include']}"]
    if name == "paddle" and unit in ("pieces", "elements"):
        if not (out / "include").exists():
            (out / "include").symlink_to(folder / "paddle")
        options.append(f"-I{overlay.merged(PIECES, NAMES, out, out)}")
    compiled = [*options, *includes(name, root, folder), "-c", str(DATA / f"{unit}.cu")]
    linked = ["-shared", str(output), "-o", str(library), "-L" + str(folder / "lib64")]
    more = ["-lc10_cuda", "-ltorch_cuda"]
    if name == "paddle":
        parts = ("base/libpaddle.so", "libs/libphi.so", "libs/libphi_core.so", "libs/libcommon.so")
        more = [str(root / part) for part in parts]
        more += [f"-Xlinker=-rpath,{root}/base", f"-Xlinker=-rpath,{root}/libs"]
    for line in ([*compiled, "-o", str(output)], [*linked, *more]):
        made = subprocess.run([folder / "bin" / "nvcc", *line], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr[-3000:]
    return folder, library


def said_by(name: str, python: Path, out: Path, unit: str, **environment: str) -> dict[str, Any]:
    folder, library = compiled(name, python, out, unit)
    paths = (WORKERS, PACKAGE / "targets" / name / "workers")
    called = subprocess.run(
        [python, "-W", "ignore", DATA / f"{unit}.py", folder, name, library],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), **environment},
    )
    assert called.returncode == 0, called.stderr[-3000:]
    answer: dict[str, Any] = json.loads(called.stdout.splitlines()[-1])
    return answer


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compiled")


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", ["torch", "paddle"])
def test_an_operator_for_cuda_runs_on_tensors_of_the_emulated_device(
    framework_pythons: Mapping[str, Path], out: Path, name: str, late: bool
) -> None:
    environment = PARITY if late else {}
    said = said_by(name, framework_pythons[name], out, "rows", **environment)
    assert (said["available"], said["devices"]) == (True, 1)
    assert said["device"] == "cuda:0"
    assert said["result"] == ["cuda:0", True]
    assert said["error"] < 1e-6 and said["view"] < 1e-6
    assert said["own"] == [True, True]
    assert said["in place"] == [1200, True]
    assert said["empty"] == "cuda:0"
    assert said["name"].startswith("emulated on the CPU")
    assert "x is not a matrix" in said["a vector"]
    assert "x is not on CUDA" in said["on the CPU"]
    assert "an illegal memory access" in said["past"] or name == "paddle"
    assert said["after"] < 1e-6
    assert (said["stale"] < 1e-6) is not late, "a kernel on another stream is late"


@pytest.mark.parametrize("late", [False, True])
def test_the_cuda_pieces_mean_what_torchs_own_headers_do(
    framework_pythons: Mapping[str, Path], out: Path, late: bool
) -> None:
    if not CCCL.is_dir():
        pytest.skip("no CCCL, which torch's own headers include")
    environment = PARITY if late else {}
    torch, paddle = (
        said_by(name, framework_pythons[name], out, "pieces", **environment)
        for name in ("torch", "paddle")
    )
    assert torch.keys() == paddle.keys() and len(torch) >= 40
    differ = {
        name: (said, paddle[name]) for name, said in torch.items() if not same(said, paddle[name])
    }
    assert not differ


def test_kernels_over_elements_read_and_write_where_operands_are(
    framework_pythons: Mapping[str, Path], out: Path
) -> None:
    said = said_by("paddle", framework_pythons["paddle"], out, "elements")
    assert len(said) == 10
    assert not [name for name, is_right in said.items() if is_right is not True], said


def same(one: Any, other: Any) -> bool:
    """Texts of errors may differ, not their types; numbers in the last bits of float32."""
    if isinstance(one, str) or isinstance(other, str):
        return str(one).partition(":")[0] == str(other).partition(":")[0]
    return one[:2] == other[:2] and one[2] == pytest.approx(other[2], rel=1e-6, nan_ok=True)
