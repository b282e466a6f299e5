"""Paddle on the emulated NPU, which is its custom device `npu`."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from porter import targets
from porter.emulators import triton_cpu
from porter.emulators.npu import toolkit
from porter.emulators.npu.package import build_package
from porter.host.home import rules_home
from porter.model import Device
from porter.targets.paddle import PROXY
from porter.unit import pieces
from porter.unit.compose import compose
from tests.conftest import CACHE, ROOT
from tests.cpp_pieces import overlay

DATA = Path(__file__).parent / "data" / "emulated_paddle_npu"
OWN = ROOT / "porter" / "targets" / "paddle" / "workers"
PATHS = os.pathsep.join(map(str, (triton_cpu.PLUGIN.parent, OWN)))
pytestmark = [pytest.mark.real, pytest.mark.long]

START = "import emulated_start; emulated_start.start({!r}, 'emulated_paddle_npu')"
HALF = targets.TARGETS["paddle"].stand_in(Device.NPU)


def site_of(python: Path) -> Path:
    found = "import importlib.util as u; print(u.find_spec('paddle').origin)"
    asked = subprocess.run([python, "-c", found], capture_output=True, text=True, check=True)
    return Path(asked.stdout.strip()).parent.parent


def run(python: Path, made: Path, script: str, *arguments: Path, **variables: str) -> str:
    """What a script of the data says in its last line, with the device."""
    start = f"{START.format(str(made))}; import runpy, sys; del sys.argv[0]; "
    code = f"{start}runpy.run_path(sys.argv[0])"
    called = subprocess.run(
        [python, "-W", "ignore", "-c", code, DATA / script, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": PATHS, **variables},
    )
    assert called.returncode == 0, called.stderr[-3000:]
    return called.stdout.splitlines()[-1]


@pytest.mark.parametrize("late", ["0", "1"])
def test_paddle_has_the_device(
    framework_pythons: Mapping[str, Path], tmp_path: Path, late: str
) -> None:
    python = framework_pythons["paddle"]
    counts = tmp_path / "counts"
    variables = {"PORTER_EMULATED_COUNTS": str(counts), "PORTER_EMULATED_LATE": late}
    said = run(python, toolkit(CACHE, HALF, site_of(python) / "paddle"), "device.py", **variables)
    assert json.loads(said) == {
        "types": ["npu"],
        "place": "Place(npu:0)",
        "gradient": [[[2.0, 4.0], [6.0, 8.0]], "Place(npu:0)"],
        "host": "Place(cpu)",
        "view": True,
        "in place": 0.0,
        "empty": "Place(npu:0)",
        "on a stream": 6000.0,
    }
    counted = json.loads(counts.read_text())
    assert counted["cpu"]["multiply_grad"] == 1, "operators that fell back are counted"
    assert not counted["kernel"]


@pytest.fixture(scope="module")
def routes(
    framework_pythons: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """The routes of fixtures/ascend_add as an extension for Paddle, and the operator package."""
    python, folder = framework_pythons["paddle"], tmp_path_factory.mktemp("routes")
    made, paddle = toolkit(CACHE, HALF, site_of(python) / "paddle"), site_of(python) / "paddle"
    opp = ROOT / "fixtures" / "ascend_add" / "opp"
    build_package(sorted((opp / "op_host").glob("*.cpp")), opp / "op_kernel", folder / "opp", made)
    rules = rules_home() / "paddle" / "polyfills" / "cpp"
    names = overlay.closure(rules, ["npu", "registration", "umbrellas", "device", "device_types"])
    compat = paddle / overlay.COMPAT
    includes = [overlay.merged(rules, names, paddle, folder), paddle / "include"]
    includes += [paddle / "include" / "third_party", compat, compat / "torch/csrc/api/include"]
    includes += [Path(sysconfig.get_paths()["include"]), ROOT / "fixtures" / "ascend_add" / "csrc"]
    libraries = [*(paddle / "libs").glob("libphi*.so"), paddle / "libs/libcommon.so"]
    libraries.append(paddle / "base" / "libpaddle.so")
    built = subprocess.run(
        [made / "bin" / "bisheng", "-shared", "-fPIC", "-O0", "-DPADDLE_WITH_CUSTOM_KERNEL"]
        + [f"-I{path}" for path in includes]
        + [DATA / "routes.asc", *libraries, "-o", folder / "routes.so"],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr[-3000:]
    return folder / "routes.so", folder / "opp"


@pytest.mark.parametrize("late", ["0", "1"])
def test_extensions_for_torch_npu_run_on_paddles_device(
    framework_pythons: Mapping[str, Path], routes: tuple[Path, Path], tmp_path: Path, late: str
) -> None:
    python, (library, package) = framework_pythons["paddle"], routes
    every = {piece.id: piece for piece in pieces(rules_home() / "paddle" / "polyfills")}
    asked = {"python/npu"}
    while more := {need for id in asked for need in every[id].needs} - asked:
        asked |= more
    for patch in compose(PROXY, "", "this test uses", [every[id] for id in sorted(asked)]):
        path = tmp_path / patch.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(patch.after or b"")
    script = tmp_path / "routes.py"  # methods are torch's below the unit's folder only
    script.write_bytes((DATA / "routes.py").read_bytes())
    counts = tmp_path / "counts"
    said = run(
        python,
        toolkit(CACHE, HALF, site_of(python) / "paddle"),
        str(script),
        tmp_path / "_porter_compat" / "names.py",
        library,
        ASCEND_CUSTOM_OPP_PATH=str(package),
        PORTER_EMULATED_COUNTS=str(counts),
        PORTER_EMULATED_LATE=late,
    )
    assert json.loads(said) == {
        "wrong": [],
        "said": "another stream, and back, refused, nowhere",
        "beside": True,
        "turned": True,
        "on a stream": True,
        "shapes": "add: x and y differ in shape or type",
        "the CPU": "Could not run 'ascend_add::add_aclnn' with arguments from the 'CPU' backend.",
        "names": [True, 0, 1, "npu:0", True, "Place(npu:0)", "Place(npu:0)", False],
    }
    kernels = json.loads(counts.read_text())["kernel"]
    assert kernels.pop("add_custom") == 21 + 2, "an empty tensor is none of the direct route"
    assert sum(kernels.values()) == 18 + 3
