"""Units: captured from a setup script that builds nothing, compiled one by one with its flags."""

from __future__ import annotations

import functools
import http.server
import io
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from porter.build import cuda_headers, driver, environment, units
from porter.build.cell import Options
from porter.build.extensions import CompileUnit, UnitPlan, capture
from porter.build.units import Compilers
from porter.errors import NetworkError
from porter.model import Cell, Device, Evidence, ProjectFacts, Status, Tree, UnitResult
from porter.stages.unit_plans import capture_units
from porter.targets import SOURCE, TARGETS, CompileArguments, Environment

FAKE_TORCH = {
    "torch/__init__.py": "from torch import cuda, version\n",
    "torch/version.py": "cuda = None\n",
    "torch/cuda.py": "def is_available(): return False\n",
    "torch/utils/__init__.py": "",
    "torch/utils/cpp_extension.py": """
from setuptools import Extension
CUDA_HOME = None
def CUDAExtension(name, sources, **kwargs): raise OSError("CUDA_HOME is not set")
def CppExtension(name, sources, **kwargs): return Extension(name, sources, **kwargs)
def include_paths(device_type="cpu"): return ["/torch/include"]
class BuildExtension: pass
""",
}
SETUP = """
import os
import torch
from setuptools import Extension, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

here = os.path.dirname(os.path.abspath(__file__))
modules = [CppExtension("pkg._cpu", ["csrc/a.cpp"], include_dirs=[os.path.join(here, "csrc")])]
if torch.cuda.is_available() and CUDA_HOME is not None:
    extension = CUDAExtension(
        name="pkg._cuda", sources=["csrc/a.cpp", "csrc/k.cu"], define_macros=[("ON", None)],
        extra_compile_args={"cxx": ["-O3"], "nvcc": ["-O3", "--threads", "8", "-lineinfo"]},
    )
    extension.include_dirs.append(f"{here}/more")
    modules.append(extension)
setup(name="pkg", ext_modules=modules, cmdclass={"build_ext": BuildExtension})
open("built.txt", "w")
"""


@pytest.fixture
def fake(tmp_path: Path) -> Environment:
    site = tmp_path / "site"
    for name, text in FAKE_TORCH.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    paths = (str(site), *(p for p in sys.path if p.endswith("site-packages")))
    base = Environment(
        python=Path(sys.executable), framework="torch", version="1", build="cpu",
        root=str(site / "torch"), include="/python", paths=paths,
    )  # fmt: skip
    made = environment.overlay(base, tmp_path / "venv")
    # Capturing needs setuptools, which an environment of porter's own always has.
    (site / "setuptools.py").write_text(SETUPTOOLS)
    return made


SETUPTOOLS = """
class Extension:
    def __init__(self, name, sources, include_dirs=None, define_macros=None,
                 extra_compile_args=None):
        self.name, self.sources = name, sources
        self.include_dirs, self.define_macros = include_dirs or [], define_macros or []
        self.extra_compile_args = extra_compile_args or []
class Distribution: pass
def setup(**kwargs): raise SystemExit("really built")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "setup.py").write_text(SETUP)
    return root


def test_units_have_the_flags_of_their_extension(
    project: Path, fake: Environment, tmp_path: Path
) -> None:
    home = {"CUDA_HOME": "/cuda", "CFLAGS": "-DHOST=1 -O2"}
    plan = capture(project, fake, SOURCE, Device.CUDA, tmp_path / "logs", home)
    assert plan.reason == ""
    assert ["-DHOST=1" in unit.defines for unit in plan.units] == [True, True, False]
    assert [(unit.extension, unit.path) for unit in plan.units] == [
        ("pkg._cpu", "csrc/a.cpp"),
        ("pkg._cuda", "csrc/a.cpp"),
        ("pkg._cuda", "csrc/k.cu"),
    ]
    kernel = plan.units[-1]
    assert kernel.cuda
    assert kernel.flags == ("-O3", "-lineinfo"), "the number of threads is not the script's to say"
    assert kernel.includes == ("more",)
    assert "-DON" in kernel.defines
    assert "-DTORCH_EXTENSION_NAME=_cuda" in kernel.defines
    assert [unit.for_cuda for unit in plan.units] == [False, True, True]


def test_units_of_projects_in_folders_have_paths_from_the_root_of_the_tree(
    fake: Environment, tmp_path: Path
) -> None:
    root = tmp_path / "tree"
    for folder, source in (("first", "a.cpp"), ("python", "../csrc/b.cpp")):
        script = SETUP.replace("csrc/a.cpp", source)
        (root / folder).mkdir(parents=True)
        (root / folder / "setup.py").write_text(script)
    scripts = ("first/setup.py", "python/setup.py")
    facts = ProjectFacts(build_scripts=scripts)
    found = capture_units(facts, Device.CPU, fake, root, tmp_path / "logs", Compilers())
    assert found.reason == ""
    assert [unit.path for unit in found.units] == ["first/a.cpp", "csrc/b.cpp"]
    (root / "first" / "setup.py").write_text("raise ValueError('no')\n")
    found = capture_units(facts, Device.CPU, fake, root, tmp_path / "logs", Compilers())
    assert [unit.path for unit in found.units] == ["csrc/b.cpp"] and found.diagnostics


def test_the_folders_of_the_framework_are_left_to_what_compiles_the_units(
    project: Path, fake: Environment, tmp_path: Path
) -> None:
    script = SETUP.replace('[os.path.join(here, "csrc")]', '[*include_paths(), "own"]')
    (project / "setup.py").write_text(script.replace("import CUDA", "import include_paths, CUDA"))
    plan = capture(project, fake, SOURCE, Device.CPU, tmp_path / "logs")
    assert [unit.includes for unit in plan.units] == [("own",)]


def test_units_have_the_folders_of_all_extensions_of_a_script(
    project: Path, fake: Environment, tmp_path: Path
) -> None:
    """As setuptools gives them: of setup() itself, and of the options of build_ext."""
    ours = 'include_dirs=["deps"], options={"build_ext": {"include_dirs": ["opts"]}}, cmdclass='
    (project / "setup.py").write_text(SETUP.replace("cmdclass=", ours))
    (project / "setup.cfg").write_text("[build_ext]\ninclude-dirs = one:two\n")
    plan = capture(project, fake, SOURCE, Device.CPU, tmp_path / "logs")
    assert [unit.includes for unit in plan.units] == [("csrc", "deps", "opts", "one", "two")]


def test_for_a_cpu_the_script_sees_no_gpu(project: Path, fake: Environment, tmp_path: Path) -> None:
    plan = capture(project, fake, SOURCE, Device.CPU, tmp_path / "logs")
    assert {unit.extension for unit in plan.units} == {"pkg._cpu"}


def test_a_script_that_fails_is_told_with_its_place(
    project: Path, fake: Environment, tmp_path: Path
) -> None:
    (project / "setup.py").write_text("import torch\n\ntorch.backends\n")
    plan = capture(project, fake, SOURCE, Device.CUDA, tmp_path / "logs")
    assert plan.units == ()
    assert "torch has no attribute backends" in plan.reason
    assert (plan.diagnostics[-1].path, plan.diagnostics[-1].line) == ("setup.py", 3)


def test_a_script_without_extensions_is_a_reason(
    project: Path, fake: Environment, tmp_path: Path
) -> None:
    (project / "setup.py").write_text("from setuptools import setup\nsetup(name='a')\n")
    plan = capture(project, fake, SOURCE, Device.CUDA, tmp_path / "logs")
    assert "describes no extension" in plan.reason


def test_without_a_setup_script_the_units_are_not_known(fake: Environment, tmp_path: Path) -> None:
    plan = capture(tmp_path / "nowhere", fake, SOURCE, Device.CUDA, tmp_path / "logs")
    assert "no setup.py" in plan.reason


ARGUMENTS = CompileArguments(
    includes=("/fw",), defines=("-DFW",), flags=("-std=c++17",), stand_ins={}
)
TOOLS = units.Compilers(host=("g++",), nvcc=("nvcc",), includes=("/cuda",))


def line(unit: CompileUnit) -> tuple[str, ...]:
    return units.options(Path("/p"), unit, ARGUMENTS, TOOLS, first=("/unit",))


def test_the_vendored_headers_come_before_the_frameworks() -> None:
    argv = line(CompileUnit(path="a.cpp", extension="x", includes=("csrc",)))
    folders = [part for part in argv if part.startswith("-I")]
    assert folders == ["-I/unit", "-I/p/csrc", "-I/fw", "-I/cuda"]


def test_a_standard_of_the_repository_replaces_the_frameworks() -> None:
    argv = line(CompileUnit(path="a.cu", extension="x", flags=("-std=c++20",)))
    assert [part for part in argv if "std=" in part] == ["-std=c++20"]


def test_architectures_of_the_repository_are_kept() -> None:
    own = ("-gencode", "arch=compute_80,code=sm_80")
    assert line(CompileUnit(path="a.cu", extension="x", flags=own)).count("-gencode") == 1
    assert "arch=compute_90,code=sm_90" in line(CompileUnit(path="a.cu", extension="x"))


def test_a_compiler_for_each_kind_of_source() -> None:
    assert line(CompileUnit(path="a.cu", extension="x"))[0] == "nvcc"
    assert line(CompileUnit(path="a.cpp", extension="x"))[0] == "g++"


def test_nvcc_is_given_the_compiler_alone_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "env g++ -O1")
    argv = line(CompileUnit(path="a.cu", extension="x"))
    assert argv[argv.index("-ccbin") + 1] == "g++"


def test_units_compile_or_say_why(fake: Environment, tmp_path: Path) -> None:
    (tmp_path / "good.cpp").write_text("int f() { return ON; }\n")
    (tmp_path / "bad.cpp").write_text("int f() { return nowhere; }\n")
    asked = [
        CompileUnit(path="good.cpp", extension="x", defines=("-DON=1",)),
        CompileUnit(path="bad.cpp", extension="x"),
        CompileUnit(path="gone.cpp", extension="x"),
    ]
    place = units.Workplace(
        tmp_path, fake, SOURCE, (), tmp_path / "out", Device.CPU, units.Compilers()
    )
    good, bad, gone = units.compile_units(place, asked)
    assert good.ok and good.diagnostics == ()
    assert not bad.ok and bad.diagnostics[0].name == "nowhere"
    assert not gone.ok and "submodule" in gone.diagnostics[0].message


def test_an_empty_submodule_that_failed_units_include_is_named(tmp_path: Path) -> None:
    (tmp_path / ".gitmodules").write_text(
        '[submodule "a"]\n\tpath = csrc/lib\n[submodule "b"]\n\tpath = docs/theme\n'
    )
    (tmp_path / "csrc" / "lib").mkdir(parents=True)
    unit = CompileUnit(path="a.cu", extension="x", includes=("csrc/lib/include",))
    bad = UnitResult(path="a.cu", extension="x", ok=False, seconds=1)
    good = UnitResult(path="a.cu", extension="x", ok=True, seconds=1)
    plan = UnitPlan(units=(unit,))
    (said,) = units._describe_empty_submodules(tmp_path, plan, (bad,))
    assert "csrc/lib" in said
    assert units._describe_empty_submodules(tmp_path, plan, (good,)) == []
    (tmp_path / "csrc" / "lib" / "include").mkdir()
    assert units._describe_empty_submodules(tmp_path, plan, (bad,)) == []


def test_without_nvcc_no_cuda_unit_passes(fake: Environment, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int f();\n")
    tools = units.Compilers(reason="no nvcc")
    place = units.Workplace(tmp_path, fake, SOURCE, (), tmp_path / "out", Device.CUDA, tools)
    (found,) = units.compile_units(place, [CompileUnit(path="a.cpp", extension="x")])
    assert not found.ok
    assert found.diagnostics[0].message == "no nvcc"


@pytest.mark.parametrize("kind", ["CUDAExtension", "CppExtension"])
def test_units_are_compiled_for_cuda_where_an_extension_is_for_it(
    kind: str,
    project: Path,
    fake: Environment,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a kernel of its own, too: its sources include CUDA's headers."""
    text = (project / "setup.py").read_text().replace('"csrc/a.cpp", "csrc/k.cu"', '"csrc/a.cpp"')
    (project / "setup.py").write_text(
        text.replace("extension = CUDAExtension", f"extension = {kind}")
    )
    tools = units.Compilers(nvcc=("nvcc",), home="/cuda", version=(13, 0))
    monkeypatch.setattr(units, "compilers", lambda *args: tools)
    monkeypatch.setattr(
        units,
        "compile_units",
        lambda place, found, **more: tuple(
            UnitResult(path=unit.path, extension="", ok=True, seconds=0.0) for unit in found
        ),
    )
    monkeypatch.setattr(units, "objects_of", lambda *args: {})
    cell = Cell(Tree.PATCHED, "torch", Device.CUDA, Evidence.COMPILED)
    result = driver.build(project, cell, fake, SOURCE, tmp_path / "cell")
    wanted = Status.OK if kind == "CUDAExtension" else Status.SKIPPED
    assert result.status is wanted, result


def test_without_nvcc_the_cell_is_skipped_with_the_reason(
    project: Path, fake: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_headers, "toolkit", lambda logs: None)
    cell = Cell(Tree.PATCHED, "torch", Device.CUDA, Evidence.COMPILED)
    result = driver.build(project, cell, fake, SOURCE, tmp_path / "cell")
    assert result.status is Status.SKIPPED
    assert "no nvcc" in result.reason


# -------------------------------------------------------------- CUDA headers


def test_a_toolkit_is_found_by_its_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("bin/nvcc", ""), ("include/cuda.h", "#define CUDA_VERSION 12080\n")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    found = cuda_headers.toolkit(tmp_path / "logs")
    assert found is not None
    assert (found.home, found.version) == (tmp_path, (12, 8))


@pytest.mark.parametrize(
    ("name", "major", "wheel"),
    [
        ("nvidia-cublas", 13, "nvidia-cublas"),
        ("nvidia-cudnn", 13, "nvidia-cudnn-cu13"),
        ("nvidia-cublas", 12, "nvidia-cublas-cu12"),
    ],
)
def test_wheels_of_headers_are_named_by_the_cuda_version(name: str, major: int, wheel: str) -> None:
    assert cuda_headers._package(name, major) == wheel


class Server(http.server.BaseHTTPRequestHandler):
    """Serves one wheel, by ranges or not."""

    data = b""
    ranges = True
    sent: ClassVar[list[int]] = []

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.data)))
        if self.ranges:
            self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def do_GET(self) -> None:
        first, last = self.headers["Range"].removeprefix("bytes=").split("-")
        part = self.data[int(first) : int(last) + 1]
        self.sent.append(len(part))
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def served() -> Iterator[str]:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as wheel:
        wheel.writestr("nvidia/cu13/lib/libcublas.so", bytes(8 << 20))
        wheel.writestr("nvidia/cu13/include/cublas_v2.h", "#pragma once\n")
        wheel.writestr("nvidia/cu13/include/sub/part.h", "// part\n")
        wheel.writestr("nvidia/cu13/include/../../evil.h", "")
    Server.data, Server.ranges, Server.sent = buffer.getvalue(), True, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/x.whl"
    server.shutdown()


def test_only_headers_of_a_wheel_are_read(served: str, tmp_path: Path) -> None:
    cuda_headers._extract(served, tmp_path / "include")
    found = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert found == {"include/cublas_v2.h", "include/sub/part.h"}
    assert sum(Server.sent) < len(Server.data) / 4


def test_a_server_that_gives_whole_files_only_is_a_reason(
    served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Server.ranges = False
    with pytest.raises(OSError, match="partial downloads"):
        cuda_headers._extract(served, tmp_path / "include")
    planned = [cuda_headers.pip.Planned("nvidia-cublas", "13", served)]
    monkeypatch.setattr(cuda_headers.pip, "plan", lambda *a, **k: (planned, Good))
    with pytest.raises(NetworkError, match="cannot read the headers of nvidia-cublas"):
        cuda_headers._fetch(["nvidia-cublas"], Path("python"), tmp_path)


class Good:
    ok = True


# ---------------------------------------------------------------------- real


KERNEL = """
#include <torch/extension.h>
#include <torch/library.h>
#include <ATen/cuda/CUDAContext.h>
__global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= FACTOR; }
at::Tensor scaled(const at::Tensor& x) {
  auto y = at::empty_like(x);
  scale<<<1, 256, 0, at::cuda::getCurrentCUDAStream()>>>(y.data_ptr<float>(), (int)y.numel());
  return y;
}
TORCH_LIBRARY(unit_ops, m) { m.def("scaled(Tensor x) -> Tensor", &scaled); }
"""
KERNEL_SETUP = """
import paddle
paddle.enable_compat()
import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension

modules = []
if torch.cuda.is_available() and CUDA_HOME is not None:
    macros = [("FACTOR", "2")]
    modules.append(CUDAExtension(name="unit_ops", sources=["k.cu"], define_macros=macros))
setup(name="unit_ops", ext_modules=modules, cmdclass={"build_ext": BuildExtension})
"""


@pytest.mark.real
@pytest.mark.long
def test_a_kernel_compiles_against_paddle_or_the_reason_is_told(
    framework_pythons: dict[str, Path], tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "setup.py").write_text(KERNEL_SETUP)
    (root / "k.cu").write_text(KERNEL)
    paddle = TARGETS["paddle"]
    base = environment.use(framework_pythons["paddle"], paddle, tmp_path)
    cell = Cell(Tree.PATCHED, "paddle", Device.CUDA, Evidence.COMPILED)
    result = driver.build(root, cell, base, paddle, tmp_path / "cell", Options(jobs=1))
    if cuda_headers.toolkit(tmp_path / "logs") is None:
        assert (result.status, "nvcc" in result.reason) == (Status.SKIPPED, True)
        return
    assert result.status is Status.OK, result
    assert [(unit.path, unit.ok) for unit in result.units] == [("k.cu", True)]
