"""The CUDA pieces compile: every name they offer is used in a unit that nvcc makes an object of."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter import targets
from porter.build import cuda_headers
from porter.host.home import rules_home
from porter.model import Device
from porter.targets.protocol import Environment
from tests.conftest import CACHE
from tests.cpp_pieces import overlay, toolchain

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
UNITS = sorted((Path(__file__).parent / "cuda_units").glob("*.cu"))
OTHERS = ("complex", "dispatch_macros", "half", "ivalue", "macros", "math_types", "tensor_iterator")
NAMES = overlay.closure(
    PIECES,
    [n for n in overlay.pieces(PIECES) if n.startswith("cuda_") or n in OTHERS],
)


@pytest.fixture(scope="module")
def nvcc(
    framework_pythons: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """The command that compiles a CUDA unit against Paddle with the CUDA pieces."""
    found = cuda_headers.toolkit(tmp_path_factory.mktemp("logs"))
    if found is None:
        pytest.skip("no nvcc")
    python = framework_pythons["paddle"]
    libraries = cuda_headers.library_headers(found, python, home=CACHE)
    include, home = toolchain.asked(python, "paddle")
    merged = overlay.merged(PIECES, NAMES, home, CACHE / "cpp-pieces")
    environment = Environment(
        python=python,
        framework="paddle",
        version="3.3.1",
        build="cpu",
        root=str(home),
        include=str(include),
    )
    arguments = targets.framework("paddle").compile_arguments(
        environment, cuda_source=True, device=Device.CUDA
    )
    folders = (str(merged), *arguments.includes, *libraries)
    quick = ("-O0", "-Xcicc", "-O0", "-Xptxas", "-O0", "-arch=sm_90", "-w", "-c")
    return [
        *(str(found.nvcc), "--extended-lambda", *quick, *arguments.flags, *arguments.defines),
        *(f"-I{folder}" for folder in folders),
    ]


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_a_unit_that_uses_the_pieces_compiles(
    unit: Path, standard: str, nvcc: list[str], tmp_path: Path
) -> None:
    command = [*nvcc, f"-std={standard}", str(unit), "-o", str(tmp_path / "unit.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[:4000]
