"""The driver: steps as data, cells apart, failures told by cause, imports that may die."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from porter.build import (
    cuda_headers,
    diagnostics,
    driver,
    environment,
    installed,
    packages,
    requirements,
    undeclared,
)
from porter.build.cell import (
    Options,
    copy_tree,
    default_jobs,
    nothing_to_build,
    variables,
    work_tree,
)
from porter.build.extensions import read_variables, switches
from porter.build.permitted import permit
from porter.host import process
from porter.model import UNSET, Cell, Device, Evidence, Status, Step, StepResult, Tree
from porter.sources import repository
from porter.targets import SOURCE, TARGETS, Environment

CELL = Cell(Tree.UNPATCHED, "torch", Device.CPU, Evidence.NATIVE)


@pytest.fixture
def base(tmp_path: Path) -> Environment:
    """An environment with setuptools and an empty torch, of what runs the tests."""
    site = tmp_path / "site"
    (site / "torch").mkdir(parents=True)
    (site / "torch" / "__init__.py").write_text("")
    paths = (str(site), *(p for p in sys.path if p.endswith("site-packages")))
    return Environment(
        python=Path(sys.executable), framework="torch", version="1", build="cpu", paths=paths
    )


@pytest.fixture(autouse=True)
def no_index(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fast tests ask no index: what runs them may lack a tool, and no test here needs it."""
    if "real" not in request.keywords and "lacks" not in request.node.name:
        monkeypatch.setattr(requirements, "TOOLS", ())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "__init__.py").write_text("VALUE = 1\n")
    (root / "pyproject.toml").write_text(
        """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "pkg"
"""
    )
    (root / "backend.py").write_text(BACKEND)
    return root


# A build backend of a few lines, so that the driver is tested without setuptools or a compiler.
BACKEND = """
import os, pathlib, zipfile

def build_wheel(folder, config=None, metadata=None):
    if pathlib.Path("fail.txt").exists():
        raise RuntimeError(pathlib.Path("fail.txt").read_text())
    if pathlib.Path("say.txt").exists():
        print(pathlib.Path("say.txt").read_text(), flush=True)
    name = "pkg-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        for path in pathlib.Path("pkg").rglob("*.py"):
            wheel.write(path, path.as_posix())
        wheel.writestr("pkg/generated.py", "VERSION = '1.0'")
        info = "pkg-1.0.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: pkg\\nVersion: 1.0\\n")
        lines = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
        wheel.writestr(f"{info}/WHEEL", lines)
        wheel.writestr(f"{info}/RECORD", "")
    return name
"""


def test_a_project_is_installed_and_imported(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    folder = tmp_path / "cell"
    result = driver.build(project, CELL, base, SOURCE, folder)
    assert (result.status, result.modules) == (Status.OK, ("pkg",)), result
    assert result.python == str(folder / "venv" / "bin" / "python")
    assert all(Path(step.log).is_file() for step in result.steps)


def test_a_project_for_a_newer_python_is_built_with_a_warning(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    for file in project.rglob("*.py"):
        text = file.read_text()
        asked = "Requires-Python: >=9.1\\nVersion: 1.0\\n"
        file.write_text(text.replace("Version: 1.0\\n", asked, 1))
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert (result.status, result.modules) == (Status.OK, ("pkg",)), result
    assert any(">=9.1" in one.message for one in result.diagnostics)


@pytest.mark.parametrize("wanted", [True, False])
def test_requirements_are_installed_unless_told_not_to(
    wanted: bool, project: Path, base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def install(environment: Environment, names: Iterable[str], *rest: object) -> object:
        asked.extend(names)
        return packages.Installed()

    (project / "requirements-test.txt").write_text("einops\nPkg>=0.1\n")
    monkeypatch.setattr(packages, "install", install)
    driver.build(project, CELL, base, SOURCE, tmp_path / "cell", Options(requirements=wanted))
    assert ("einops" in asked) is wanted
    assert "Pkg>=0.1" not in asked, "the project itself"


def test_what_a_build_requires_is_not_imported_as_if_it_were_the_projects(
    project: Path, base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def install(environment: Environment, names: Iterable[str], *rest: object) -> object:
        site = Path(environment.paths[0])
        if "tool" in names:
            (site / "tool.py").write_text("import surely_not_there\n")
            (site / "tool-1.0.dist-info").mkdir()
            info = site / "tool-1.0.dist-info"
            (info / "METADATA").write_text("Name: tool\nVersion: 1.0\n")
            (info / "RECORD").write_text("tool.py,,\n")
        return packages.Installed()

    wanted = (
        (project / "pyproject.toml").read_text().replace("requires = []", 'requires = ["tool"]')
    )
    (project / "pyproject.toml").write_text(wanted)
    monkeypatch.setattr(packages, "install", install)
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert (result.status, result.modules) == (Status.OK, ("pkg",)), result


@pytest.mark.parametrize(
    ("command", "status"), [("cp before.py pkg/made.py", Status.OK), ("cp no.py x", Status.FAILED)]
)
def test_a_command_is_run_in_the_tree_before_it_is_built(
    project: Path, base: Environment, tmp_path: Path, command: str, status: Status
) -> None:
    (project / "before.py").write_text("")
    (project / "pkg" / "__init__.py").write_text("from . import made\n")
    options = Options(prepare=tuple(command.split()))
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell", options)
    assert result.status is status, result
    assert result.steps[0].name == "prepare"
    assert ("--prepare: `cp no.py x` ended" in result.reason) is (status is Status.FAILED)
    assert not (project / "pkg" / "made.py").exists()


def test_the_tree_given_is_only_read(project: Path, base: Environment, tmp_path: Path) -> None:
    before = sorted(project.rglob("*"))
    driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert sorted(project.rglob("*")) == before


def test_files_that_only_the_wheel_has_are_put_into_the_cells_tree(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert (driver.work_tree(tmp_path / "cell") / "pkg" / "generated.py").is_file()


def test_a_project_that_it_needs_is_installed_first(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    needed = tmp_path / "needed"
    shutil.copytree(project, needed)
    backend = needed / "backend.py"
    backend.write_text(backend.read_text().replace("pkg", "other"))
    (needed / "pyproject.toml").write_text(
        (needed / "pyproject.toml").read_text().replace("pkg", "other")
    )
    (needed / "pkg").rename(needed / "other")
    (project / "pkg" / "__init__.py").write_text("import other\n")
    alone = driver.build(project, CELL, base, SOURCE, tmp_path / "alone")
    assert alone.status is Status.FAILED
    options = Options(needed=(needed,))
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell", options)
    assert (result.status, result.modules) == (Status.OK, ("pkg",)), result
    (needed / "fail.txt").write_text("no such luck")
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "again", options)
    assert result.status is Status.FAILED
    assert "needed" in result.reason
    assert "no such luck" in result.reason


def test_a_package_that_cannot_be_imported_is_a_failed_build(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    (project / "pkg" / "__init__.py").write_text("import surely_not_there\n")
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert result.status is Status.FAILED
    assert "missing module surely_not_there" in result.reason
    (found,) = result.diagnostics
    assert (found.path, found.line) == ("pkg/__init__.py", 1)


def test_a_module_that_ends_the_process_costs_itself_only(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    text = "import os\nprint('FatalError: `Abort` is detected', flush=True)\nos.abort()\n"
    (project / "pkg" / "__init__.py").write_text(text)
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert result.status is Status.FAILED
    assert "import pkg" in result.diagnostics[0].message
    assert "SIGABRT" in result.reason


def test_each_module_inside_is_imported_and_fails_alone(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    """What ends the process is one module; tests and programs are not imported."""
    bad = "from os import surely_not_there\n"
    package = project / "pkg"
    (package / "sub").mkdir()
    (package / "sub" / "__init__.py").write_text("")
    for name, text in (
        ("dead", "import os\nos.abort()\n"),
        ("good", ""),
        ("lacks", "\n" + bad),
        ("sub/test_it", bad),
        ("sub/__main__", bad),
        ("ends", "raise SystemExit(0)\n"),
    ):
        (package / f"{name}.py").write_text(text)
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert (result.status, result.modules) == (Status.OK, ("pkg",)), result
    assert set(result.inner_modules) == {"pkg.generated", "pkg.good", "pkg.sub"}
    assert set(result.failed_imports) == {"pkg.dead", "pkg.lacks", "pkg.ends"}
    assert "SIGABRT" in result.failed_imports["pkg.dead"].message
    found = result.failed_imports["pkg.lacks"]
    assert (found.name, found.scope) == ("surely_not_there", "os")
    assert (found.path, found.line) == ("pkg/lacks.py", 2)


def test_a_library_with_the_operators_of_another_is_loaded_alone(
    project: Path, base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "pkg" / "_cpu.py").write_text(
        "import os\n"
        "print('an operator with the same name and overload name multiple times', flush=True)\n"
        "os.abort()\n"
    )
    torch = Path(base.paths[0]) / "torch" / "__init__.py"
    torch.write_text("class ops:\n    load_library = staticmethod(lambda path: open(path))\n")
    for library, status in ((torch, Status.OK), ("nowhere.so", Status.FAILED)):
        built = (installed.Module(name="pkg"), installed.Module(name="pkg._cpu", path=str(library)))
        monkeypatch.setattr(installed, "modules", lambda *_, built=built: built)
        result = driver.build(project, CELL, base, SOURCE, tmp_path / str(status))
        assert result.status is status
        assert ("pkg._cpu" in result.modules) is (status is Status.OK)


def test_a_backend_that_fails_is_told_by_its_words(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    (project / "fail.txt").write_text("the sources are missing")
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell")
    assert result.status is Status.FAILED
    assert "the sources are missing" in result.reason


@pytest.mark.parametrize(
    ("said", "installed_then", "arguments", "told"),
    [
        ("ERROR: 'a' requires a different Python: 3.11.7 not in '>=3.12'", "", 1, "3.12"),
        ("packaging.version.InvalidVersion: Invalid version: '0.1_7'", "setuptools<66", 0, "0.1_7"),
        ("error in a setup command: use_2to3 is invalid.", "setuptools<58", 0, "use_2to3"),
    ],
)
def test_what_todays_tools_refuse_of_old_projects_is_built_and_said(
    said: str, installed_then: str, arguments: int, told: str
) -> None:
    step = Step(name="install", argv=("pip", "install", "."), cwd="/", timeout=1)
    failed = StepResult(
        name="install",
        argv=step.argv,
        returncode=1,
        seconds=0,
        timed_out=False,
        marked=None,
        log="",
        tail=said,
    )
    asked: list[str] = []
    again = permit(step, failed, lambda older: not asked.append(older))
    assert again is not None
    assert len(again[0].argv) == len(step.argv) + arguments
    assert told in again[1]
    assert asked == [installed_then] * bool(installed_then)
    assert installed_then == "" or permit(step, failed, lambda older: False) is None
    other = dataclasses.replace(failed, tail="error: csrc/a.cpp does not compile")
    assert permit(step, other, lambda older: True) is None


def test_a_copy_has_a_tag_to_tell_a_version_from(tmp_path: Path) -> None:
    tree, describe = tmp_path / "tree", ("git", "describe")
    repository.initialise(tree)
    (tree / "setup.py").write_text("")
    repository.git(tree, "add", "setup.py")
    repository.commit(tree, "a", "2020-01-01T00:00:00Z")
    for _ in range(2):  # again: a later copy of a tree that has a tag
        copy = copy_tree(tree, tmp_path / "copy")
        said = subprocess.run(describe, cwd=copy, capture_output=True, text=True, check=True)
        assert said.stdout == "0.0.1\n"
    foreign = tmp_path / "foreign"
    subprocess.run(("git", "init", "-q", str(foreign)), check=True)
    (foreign / ".git" / "config").write_text("[core]\n\tpager = less\n")
    assert not (
        copy_tree(foreign, tmp_path / "other") / ".git" / "refs" / "tags" / "0.0.1"
    ).exists()


def test_tests_of_a_tree_that_nothing_is_installed_of_run_in_it(
    base: Environment, tmp_path: Path
) -> None:
    tree = tmp_path / "scripts"
    tree.mkdir()
    (tree / "ops.py").write_text("def one(): return 1\n")
    skipped = driver.build(tree, CELL, base, SOURCE, tmp_path / "without")
    assert skipped.status is Status.SKIPPED
    result = driver.build(tree, CELL, base, SOURCE, tmp_path / "with", Options(tested=True))
    assert result.status is Status.OK
    assert "no setup.py" in result.reason
    assert (work_tree(tmp_path / "with") / "ops.py").is_file()
    (tree / "CMakeLists.txt").write_text("project(ops)\n")
    unbuilt = driver.build(tree, CELL, base, SOURCE, tmp_path / "cmake", Options(tested=True))
    assert unbuilt.status is Status.SKIPPED


def test_a_step_that_prints_failure_and_ends_well_has_failed(
    project: Path, base: Environment, tmp_path: Path
) -> None:
    (project / "say.txt").write_text("csrc/a.cpp compile failed, command g++ failed")
    cell = dataclasses.replace(CELL, environment="paddle")
    fake = tmp_path / "site" / "paddle"
    fake.mkdir()
    (fake / "__init__.py").write_text("def enable_compat(): pass\n")
    result = driver.build(project, cell, base, TARGETS["paddle"], tmp_path / "cell")
    assert result.status is Status.FAILED
    assert result.steps[-1].marked


def test_a_build_that_hangs_ends(project: Path, base: Environment, tmp_path: Path) -> None:
    (project / "backend.py").write_text("import time\ntime.sleep(600)\n")
    options = Options(timeout=2)
    result = driver.build(project, CELL, base, SOURCE, tmp_path / "cell", options)
    assert result.status is Status.FAILED
    assert "did not finish within 2 s" in result.reason


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "no setup.py"),
        ({"pyproject.toml": "[tool.ruff]\n"}, "no setup.py"),
        ({"setup.cfg": "[metadata]\nname = a\n"}, "no setup.py"),  # which pip does not install
        ({"CMakeLists.txt": ""}, "CMakeLists.txt only"),
        ({"setup.py": ""}, ""),
        ({"pyproject.toml": "[project]\nname = 'a'\n"}, ""),
    ],
)
def test_a_tree_without_a_build_is_skipped_with_the_reason(
    files: dict[str, str], reason: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = nothing_to_build(tmp_path)
    assert reason in found
    assert bool(found) == bool(reason)


def test_cells_have_folders_of_their_own() -> None:
    cells = [
        dataclasses.replace(CELL, tree=tree, environment=name, device=device)
        for tree in Tree
        for name in ("torch", "paddle")
        for device in Device
    ]
    assert len({driver.cell_name(cell) for cell in cells}) == len(cells)


def test_a_build_for_paddle_says_so_to_the_tree(base: Environment, tmp_path: Path) -> None:
    added = variables(tmp_path, CELL, base, TARGETS["paddle"], Options(jobs=3))
    assert added["PORTER_FRAMEWORK"] == "paddle"
    assert added["MAX_JOBS"] == "3"


def test_a_build_for_torch_is_not_turned_over_by_the_users_shell(
    base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_FRAMEWORK", "paddle")
    added = variables(tmp_path, CELL, base, SOURCE, Options(jobs=3))
    assert added["PORTER_FRAMEWORK"] != "paddle"


def test_the_users_own_variables_win(base: Environment, tmp_path: Path) -> None:
    options = Options(variables=(("MAX_JOBS", "9"),))
    assert variables(tmp_path, CELL, base, SOURCE, options)["MAX_JOBS"] == "9"


@pytest.mark.parametrize(
    ("build", "device", "refused"),
    [("cpu", Device.CPU, True), ("cuda", Device.CPU, False), ("cpu", Device.CUDA, False)],
)
def test_a_framework_for_the_cpu_is_given_no_cuda_compiler(
    build: str,
    device: Device,
    refused: bool,
    base: Environment,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "toolkit" / "bin").mkdir(parents=True)
    real = tmp_path / "toolkit" / "bin" / "nvcc"
    real.write_text("#!/bin/sh\necho release 13.0\n")
    real.chmod(0o755)
    (tmp_path / "toolkit" / "include").mkdir()
    (tmp_path / "toolkit" / "include" / "cuda.h").write_text("#define CUDA_VERSION 13000\n")
    shutil.copy(real, real.with_name("neighbour"))
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "toolkit"))
    monkeypatch.setenv("PATH", f"{real.parent}{os.pathsep}/usr/bin:/bin")
    cell = dataclasses.replace(CELL, device=device)
    environment = dataclasses.replace(base, build=build)
    added = {"PATH": os.environ["PATH"], "CUDA_HOME": str(tmp_path / "toolkit")}
    added |= variables(tmp_path / "tree", cell, environment, SOURCE, Options())
    argv = (added.get("CUDACXX", str(real)), "-c", "csrc/a.cu", "-o", "a.o")
    step = Step(name="nvcc", argv=argv, cwd=str(tmp_path), environment=added)
    result = process.run(step, tmp_path / "log")
    assert result.ok is not refused
    found = diagnostics.parse(result.tail, tmp_path)
    assert [d.path for d in found] == (["csrc/a.cu"] if refused else [])
    assert bool(shutil.which("nvcc", path=added["PATH"])) is not refused
    assert (added["CUDA_HOME"] == UNSET) is refused
    assert shutil.which("neighbour", path=added["PATH"])
    version = dataclasses.replace(step, argv=(argv[0], "--version"))
    assert "release 13.0" in process.run(version, tmp_path / "log").tail


def test_without_a_toolkit_nothing_stands_for_one(
    base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_headers, "toolkit", lambda logs: None)
    added = variables(tmp_path / "tree", CELL, base, SOURCE, Options())
    assert not any("no-cuda" in value for value in added.values())


def test_there_is_always_a_job() -> None:
    assert default_jobs() >= 1


# ------------------------------------------------------------------ switches


SCRIPT = """
import os
from os import getenv
WITH_CUDA = os.getenv("WITH_CUDA", "0") == "1"
if os.environ.get("FORCE_ONLY_CPU") == "1" or "MYLIB_NO_CUDA" in os.environ:
    pass
debug = os.environ["DEBUG"]
flag = env_flag("USE_CUDA")
"""


def test_only_switches_that_the_script_reads_are_set(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(SCRIPT)
    assert switches(tmp_path, ["setup.py"], Device.CPU) == {
        "FORCE_ONLY_CPU": "1",
        "MYLIB_NO_CUDA": "1",
        "USE_CUDA": "0",
        "WITH_CUDA": "0",
    }


def test_for_cuda_the_switches_turn_it_on(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(SCRIPT)
    assert switches(tmp_path, ["setup.py"], Device.CUDA) == {"USE_CUDA": "1", "WITH_CUDA": "1"}


def test_options_of_cmake_turn_cuda_off(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text('import os\nargs = os.environ.get("OPS_CMAKE_ARGS", "")\n')
    assert switches(tmp_path, ["setup.py"], Device.CPU) == {}
    cmake = "if(OPS_WITH_CUDA)\n  set(_OPS_USE_CUDA ON)\nendif()\n"
    (tmp_path / "CMakeLists.txt").write_text(cmake)
    found = switches(tmp_path, ["setup.py"], Device.CPU)
    assert found == {"OPS_CMAKE_ARGS": "-DCMAKE_BUILD_TYPE=Release -DOPS_WITH_CUDA=OFF"}
    assert switches(tmp_path, ["setup.py"], Device.CUDA) == {}


@pytest.mark.parametrize("text", ["def (", "print('CUDA_HOME')", "x = 'USE_CUDA'"])
def test_words_in_a_script_are_no_switches(text: str, tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(text)
    assert switches(tmp_path, ["setup.py"], Device.CPU) == {}
    assert read_variables(tmp_path / "missing.py") == frozenset()


# -------------------------------------------------------------- requirements


def test_frameworks_are_never_installed_for_a_project(base: Environment, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools>=61", "torch>=2", "pybind11", "pytorch-triton", '
        '"nvidia-nccl-cu13", "nvidia-cublas", "cuda-toolkit", "paddlepaddle-gpu", '
        '"nvidia-cutlass-dsl>=4", "nvidia-cudnn-frontend", "cuda-python", "triton", "cmake"]\n'
    )
    assert requirements.build_requirements(tmp_path, base) == (
        "pybind11",
        "nvidia-cutlass-dsl>=4",
        "nvidia-cudnn-frontend",
        "cuda-python",
        "triton",
        "cmake",
    )


def test_what_setuptools_would_fetch_itself_is_installed_before(
    base: Environment, tmp_path: Path
) -> None:
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\nsetup(setup_requires=['setuptools_scm', 'torch'], name=N)\n"
    )
    (tmp_path / "setup.cfg").write_text("[options]\nsetup_requires =\n    cython\n    numpy>=1\n")
    asked = requirements.build_requirements(tmp_path, base)
    assert asked == ("cython", "numpy>=1", "setuptools_scm")
    (tmp_path / "requirements.txt").write_text("torch\npybind11\n")
    (tmp_path / "setup.py").write_text("setup(setup_requires=read())")
    assert requirements.build_requirements(tmp_path, base) == ("cython", "numpy>=1", "pybind11")
    (tmp_path / "setup.py").write_text("setup(")
    (tmp_path / "setup.cfg").write_text("no section")
    assert requirements.build_requirements(tmp_path, base) == ()


def test_tests_that_use_torchs_own_tools_need_what_those_import(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "ops.py").write_text("import torch.testing._internal\n")
    assert requirements.test_requirements(tmp_path) == ()
    (tmp_path / "test" / "test_ops.py").write_text(
        "from torch.testing._internal.common_utils import TestCase\n"
    )
    assert requirements.test_requirements(tmp_path) == ("expecttest",)


def test_what_only_torch_brings_is_asked_for_where_it_is_not(
    tmp_path: Path, base: Environment
) -> None:
    text = "import sympy\nfrom jinja2.sandbox import Environment\nimport fsspec as fs, torch\n"
    (tmp_path / "a.py").write_text(text)
    alone = dataclasses.replace(base, paths=(str(tmp_path / "site"),))
    asked = undeclared.find_undeclared(tmp_path, ["Sympy>=1"], alone)
    assert asked == ("fsspec", "jinja2")
    (tmp_path / "site" / "jinja2-3.dist-info").mkdir(parents=True)
    (tmp_path / "site" / "jinja2-3.dist-info" / "METADATA").write_text("Name: Jinja2\n")
    assert undeclared.find_undeclared(tmp_path, ["Sympy>=1"], alone) == ("fsspec",)


def test_what_is_imported_and_required_nowhere_is_asked_for_by_its_distribution(
    tmp_path: Path, base: Environment
) -> None:
    alone = dataclasses.replace(base, paths=(str(tmp_path / "site"),))
    (tmp_path / "ops" / "yaml").mkdir(parents=True)
    (tmp_path / "ops" / "a.py").write_text("import cv2\nfrom Crypto.Hash import MD5\nimport own\n")
    late = "try:\n    import tqdm\nexcept ImportError:\n    pass\nimport yaml\n"
    (tmp_path / "ops" / "b.py").write_text(late)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "c.py").write_text("import pandas\n")
    (tmp_path / "ops" / "tools").mkdir()
    (tmp_path / "ops" / "tools" / "d.py").write_text("def f():\n    import sympy\nimport scipy\n")
    found = undeclared.find_undeclared(tmp_path, [], alone)
    known = ("opencv-python-headless", "pycryptodome", "scipy", "sympy")
    assert found == known, "yaml is the tree's own"


@pytest.mark.parametrize(
    ("script", "asked"),
    [
        ("find_package(Torch)\nfind_package(pybind11 CONFIG REQUIRED)\n", True),
        ("find_package(Torch REQUIRED)\n", False),
        ("find_package(pybind11 QUIET)\nif(NOT pybind11_FOUND)\nendif()\n", False),
        ("find_package(pybind11)\nadd_subdirectory(deps/pybind11)\n", False),
        ("FetchContent_Declare(pybind11 URL x)\nfind_package(pybind11)\n", False),
        ("find_package(pybind11", False),
    ],
)
def test_what_cmake_finds_is_required_where_the_tree_does_not_bring_it(
    tmp_path: Path, base: Environment, script: str, asked: bool
) -> None:
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "CMakeLists.txt").write_text(script)
    (tmp_path / "third_party" / "other").mkdir(parents=True)
    other = tmp_path / "third_party" / "other" / "CMakeLists.txt"
    other.write_text("find_package(pybind11 REQUIRED)\n")
    found = requirements.build_requirements(tmp_path, base)
    assert ("pybind11[global]" in found) == asked
    named = '[build-system]\nrequires = ["pybind11>=2.6"]\n'
    (tmp_path / "pyproject.toml").write_text(named)
    assert "pybind11[global]" not in requirements.build_requirements(tmp_path, base)


def test_tools_that_a_users_interpreter_lacks_are_asked_for(tmp_path: Path) -> None:
    info = tmp_path / "setuptools-70.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: setuptools\nVersion: 70.0\n")
    bare = Environment(
        python=Path("python"), framework="torch", version="1", build="cpu", paths=(str(tmp_path),)
    )
    lacking = {tool.partition("==")[0] for tool in requirements.find_lacking_tools(bare)}
    assert {"wheel", "ninja"} <= lacking
    assert "setuptools" not in lacking


def test_requirement_files_for_tests_are_read_without_options_and_paths(tmp_path: Path) -> None:
    (tmp_path / "requirements-test.txt").write_text(
        "# tests\n-r base.txt\n--index-url x\n./local\ngit+https://x/y\npytest-xdist  # fast\n"
        "einops==0.8\nsignatory==\ntorchvision\npytest==4.3\nmypy==0.6\ncoverage\n"
    )
    (tmp_path / "test_a.py").write_text("import coverage\n")
    found = requirements.test_requirements(tmp_path)
    assert found == ("pytest-xdist", "einops==0.8", "signatory", "torchvision", "coverage")


def test_what_tests_need_is_found_by_the_names_of_files_and_in_setup(tmp_path: Path) -> None:
    for name in ("tests/requirements_test.txt", "requirements/dev.txt", "dev-requirements.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"of-{Path(name).stem}\n")
    for name in ("requirements.txt", "test.txt", "requirements/latest.txt", "tests/data.txt"):
        (tmp_path / name).write_text("not-this\n")
    (tmp_path / "setup.py").write_text("setup(tests_require=['nose', 'torch'])")
    found = set(requirements.test_requirements(tmp_path))
    assert found == {"of-requirements_test", "of-dev", "of-dev-requirements", "nose"}


def test_what_developers_install_is_wanted_if_a_file_imports_it(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torchtestcase==0.1\nmatplotlib\n# tests\ntorch\n")
    (tmp_path / "environment.yml").write_text(
        "dependencies:\n  - numpy >=1.2\n  - torchani 2.2.*\n  - python 3.10.*\n  - pip:\n"
        "    - mdtraj  # trajectories\n"
    )
    (tmp_path / "test_a.py").write_text(
        "import torchtestcase\nimport numpy as np\nfrom torchani.aev import f\nimport mdtraj\n"
    )
    found = requirements.test_requirements(tmp_path)
    assert found == ("torchtestcase", "numpy>=1.2", "torchani", "mdtraj")


@pytest.mark.parametrize(
    ("causes", "option"),
    [
        (["missing module torchani"], "--requires torchani"),
        (["missing module cv2", "missing module Crypto"], "--requires pycryptodome"),
        (["missing module pkg._C", "undefined symbol"], ""),
    ],
)
def test_a_missing_module_is_told_with_the_option_that_installs_it(
    causes: list[str], option: str
) -> None:
    problems = [
        dataclasses.replace(diagnostics.plain("python", ""), cause=cause) for cause in causes
    ]
    said = installed.describe_unimported(problems)
    assert option in said
    assert bool(option) == ("--requires" in said)


@pytest.mark.parametrize(
    ("extras", "wanted"), [(("test", "dev", "docs"), ("pytest-test",)), (("dev",), ("pytest-dev",))]
)
def test_what_developers_want_is_installed_where_nothing_is_named_for_tests(
    tmp_path: Path, extras: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    lines = [f"Provides-Extra: {e}\nRequires-Dist: pytest-{e}; extra == '{e}'" for e in extras]
    (tmp_path / "METADATA").write_text("\n".join(["Name: ops\nVersion: 1", *lines]) + "\n")
    assert requirements.run_requirements(PathDistribution(tmp_path)) == wanted
    groups = [f"{e} = ['pytest-{e}']" for e in extras]
    (tmp_path / "pyproject.toml").write_text("\n".join(["[dependency-groups]", *groups]))
    assert requirements.test_requirements(tmp_path) == wanted


def test_a_requirement_with_a_port_to_the_target_is_that_port() -> None:
    ports = TARGETS["paddle"].ported
    wanted = ["TileLang[fp4] >=0.1.8", "tilelang-extra", "numpy"]
    assert list(requirements.replace_ported(wanted, ports)) == [
        "tilelang-paddle[fp4] >=0.1.8",
        "tilelang-extra",
        "numpy",
    ]
    done = packages.Installed(asked=("tilelang-paddle==0.1.13", "numpy"))
    (told,) = installed.ports(done, ports)
    assert told.message == "tilelang-paddle==0.1.13: the port of tilelang was installed"
    assert list(requirements.replace_ported(wanted, SOURCE.ported)) == wanted


def test_no_index_is_asked_for_what_is_there(tmp_path: Path) -> None:
    site = tmp_path / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site"
    for name, version, needs in (
        ("einops", "0.8", "Requires-Dist: tables>=2\nRequires-Dist: gone; extra == 'dev'\n"),
        ("tables", "3.1", "Requires-Dist: old; python_version < '3'\n"),
        ("lone", "1.0", "Requires-Dist: lacking\n"),
    ):
        info = site / f"{name}-{version}.dist-info"
        info.mkdir(parents=True)
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (info / "METADATA").write_text(head + needs)
    base = Environment(
        python=tmp_path / "none", framework="torch", version="1", build="cpu", paths=(str(site),)
    )
    asked = ("Einops>=0.7", "tables")
    assert packages.install(base, asked, tmp_path / "logs", "extra") == packages.Installed(asked)
    for other in ("einops>=0.9", "lone", "absent", "einops[dev]", "einops @ file:///e", "?"):
        assert not requirements.is_satisfied([other], base), other
    elsewhere = dataclasses.replace(base, paths=(str(tmp_path),))
    assert not requirements.is_satisfied(["einops"], elsewhere), "of another Python, perhaps"


def test_a_requirement_is_resolved_and_downloaded_once_for_all_cells(
    project: Path, base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(packages, "_PLANS", {})  # what other tests were told
    (tmp_path / "index").mkdir()
    build = "import backend, sys; backend.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, tmp_path / "index"], cwd=project, check=True)
    steps: list[list[str]] = []
    for cell in ("one", "two"):
        own = environment.overlay(base, tmp_path / cell / "venv")
        done = packages.install(own, ["pkg"], tmp_path / cell / "logs", "needs")
        assert done.refused == () and all(step.ok for step in done.steps)
        assert (Path(own.paths[0]) / "pkg" / "__init__.py").is_file()
        steps.append([step.name for step in done.steps])
    assert steps == [["needs-download", "needs"], ["needs"]]
    assert not list(tmp_path.glob("*/logs/**/*.whl"))


def test_what_a_requirement_needs_and_has_no_wheel_is_built_from_its_sdist(
    project: Path, base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    index.mkdir()
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(packages, "_PLANS", {})  # what other tests were told
    for version in ("1.0", "2.0"):  # of which the newer does not fit
        with tarfile.open(index / f"pkg-{version}.tar.gz", "w:gz") as archive:
            archive.add(project, f"pkg-{version}")
    for version in ("3.1", "3.2"):
        with zipfile.ZipFile(index / f"app-{version}-py3-none-any.whl", "w") as wheel:
            info, need = f"app-{version}.dist-info", "Requires-Dist: pkg==1.*\n"
            wheel.writestr("app.py", "import pkg\n")
            head = f"Metadata-Version: 2.1\nName: app\nVersion: {version}\n"
            wheel.writestr(f"{info}/METADATA", head + need)
            lines = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            wheel.writestr(f"{info}/WHEEL", lines)
            wheel.writestr(f"{info}/RECORD", "")
    own = environment.overlay(base, tmp_path / "venv")
    done = packages.install(own, ["app>=3"], tmp_path / "logs", "needs")
    assert done.refused == ()
    assert all(step.ok for step in done.steps)
    found = Path(own.paths[0])
    assert (found / "app-3.2.dist-info").is_dir()
    assert (found / "pkg-1.0.dist-info").is_dir()


def test_a_requirement_that_pip_looks_for_too_long_is_refused_and_not_asked_for_again(
    base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porter.build import pip

    log = tmp_path / "log"
    log.write_text("INFO: pip is looking at multiple versions of endless\n")
    late = process.StepResult(
        name="",
        argv=(),
        returncode=-9,
        seconds=9,
        timed_out=True,
        marked=None,
        log=str(log),
        tail="",
    )
    asked: list[object] = []
    monkeypatch.setattr(packages, "_PLANS", {})
    monkeypatch.setattr(
        pip, "plan", lambda python, names, *_, **__: asked.append(names) or ((), late)
    )
    for cell in ("one", "two"):
        done = packages.install(base, ["endless"], tmp_path / cell, "needs")
        assert [name for name, _ in done.refused] == ["endless"]
        assert done.steps == ()
    assert len(asked) == 1


def test_a_kept_failure_of_pip_is_told_without_the_log_of_the_cell_that_is_gone() -> None:
    from porter.build import pip

    failed = process.StepResult(
        name="",
        argv=(),
        returncode=1,
        seconds=0,
        timed_out=False,
        marked=None,
        log="/nowhere/resolve.log",
        tail="ERROR: No matching distribution found for endless",
    )
    assert "No matching distribution" in str(pip.failure(failed, "endless"))


def test_what_needs_a_framework_is_installed_without_it_or_refused(
    base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porter.build import pip

    ok = process.StepResult(
        name="", argv=(), returncode=0, seconds=0, timed_out=False, marked=None, log="", tail=""
    )

    def planned(python: Path, asked: tuple[str, ...], folder: Path, **rest: object) -> object:
        wanted = {
            "lightning": ["lightning", "torch", "nvidia-cublas"],
            "einops": ["einops"],
            "flows": ["flows", "tqdm", "torch", "cuda-bindings"],
        }
        python = {"flows": "https://index/flows-1-py3-none-any.whl"}
        needs = {
            "lightning": ("torch>=2",),
            "flows": ("tqdm", "torch"),
            "torch": ("cuda-bindings",),
        }
        planned = [
            (n, "1", python.get(n, ""), "", needs.get(n, ()))
            for a in asked
            for n in wanted.get(a, ["torch"])
        ]
        return [pip.Planned(*each) for each in planned], ok

    installs: list[tuple[str, ...]] = []
    monkeypatch.setattr(pip, "plan", planned)
    monkeypatch.setattr(process, "run", lambda *rest: ok)
    monkeypatch.setattr(packages, "put", lambda env, words, *rest: installs.append(words) or ok)
    wanted = ["lightning", "einops", "flows"]
    without = packages.install(base, wanted, tmp_path, "extra")
    assert [name for name, _ in without.refused] == ["lightning", "flows"], "no proxy of torch"
    installs.clear()
    paddle = dataclasses.replace(base, framework="paddle")
    done = packages.install(paddle, wanted, tmp_path, "extra")
    assert [words[2:] for words in installs] == [("einops",), ("--no-deps", "flows==1", "tqdm==1")]
    assert [name for name, _ in done.refused] == ["lightning"]
    assert "torch" in done.refused[0][1]


@pytest.mark.parametrize("code", ["", "raise RuntimeError('operator vision::nms does not exist')"])
def test_a_compiled_requirement_that_fits_the_framework_is_kept_if_it_can_be_imported(
    code: str, base: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    index.mkdir()
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(packages, "_PLANS", {})  # what other tests were told
    own = environment.overlay(base, tmp_path / "venv")

    def head(name: str, version: str) -> str:
        return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"

    def write(name: str, version: str, tag: str, needs: str, code: str) -> None:
        with zipfile.ZipFile(index / f"{name}-{version}-{tag}.whl", "w") as wheel:
            info = f"{name}-{version}.dist-info"
            wheel.writestr(f"{name}.py", code)
            wheel.writestr(f"{info}/METADATA", head(name, version) + needs)
            lines = f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n"
            wheel.writestr(f"{info}/WHEEL", lines)
            wheel.writestr(f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n")

    for version in ("1", "2"):
        write("torch", version, "py3-none-any", "", "")
        needs = f"Requires-Dist: torch=={version}\n"
        write("vision", version, "py3-none-linux_x86_64", needs, code)
    site = Path(own.paths[0])
    (site / "torch-1.dist-info").mkdir()
    (site / "torch-1.dist-info" / "METADATA").write_text(head("torch", "1"))
    own = dataclasses.replace(own, framework="torch", version="1", downloader=None)
    done = packages.install(own, ["vision"], tmp_path / "logs", "needs")
    assert (site / "vision.py").is_file() is not bool(code)
    if code:
        ((name, why),) = done.refused
        assert name == "vision" and "operator vision::nms" in why
    else:
        assert (site / "vision-1.dist-info").is_dir() and not done.refused


# ------------------------------------------------------------------- symbols


def test_symbols_are_spelled_out(tmp_path: Path) -> None:
    found = diagnostics.plain("python", "ImportError: _C.so: undefined symbol: _Z7nowherei")
    (spelled,) = diagnostics.spell_out_symbols([found], tmp_path)
    assert (spelled.name, spelled.cause) == ("nowhere(int)", "missing symbol nowhere(int)")


# ----------------------------------------------------------------- installed


def test_modules_are_packages_first_then_libraries(tmp_path: Path) -> None:
    names = (
        "pkg/__init__.py", "pkg/a.py", "pkg/_C.cpython-311-x86_64-linux-gnu.so", "single.py",
        "flat_ops.so", "pkg.libs/libgomp-1.so", "tests/__init__.py", "pkg/sub/__init__.py",
        "space/ops/__init__.py", "space/ops/sub/__init__.py", "space/tests/__init__.py",
    )  # fmt: skip
    found = [module.name for module in installed.modules(tmp_path, names)]
    assert found == ["pkg", "single", "space.ops", "pkg._C", "flat_ops"]


def test_files_that_the_wheel_left_out_of_a_package_are_added(tmp_path: Path) -> None:
    site, tree = tmp_path / "site", tmp_path / "tree"
    for path in ("src/pkg/__init__.py", "src/pkg/data/v.txt", "src/pkg/_C.so", "src/other/x.txt"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("tree")
    (tree / "src/pkg/outside.txt").symlink_to(tree / "src/other/x.txt")
    (tree / "src/pkg/other").symlink_to(tree / "src/other")
    (site / "pkg").mkdir(parents=True)
    (site / "pkg/__init__.py").write_text("wheel")
    assert installed.add_left_out(site, ["pkg/__init__.py"], tree) == ("pkg/data/v.txt",)
    assert (site / "pkg/__init__.py").read_text() == "wheel"
    assert "pkg/data/v.txt" in installed.left_out(("pkg/data/v.txt",))[0].message


def test_folders_beside_a_package_are_added_where_it_reads_from_them(tmp_path: Path) -> None:
    site, tree = tmp_path / "site", tmp_path / "tree"
    for path in ("pkg/__init__.py", "configs/a.yaml", "docs/b.txt"):
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text("x")
    site.mkdir()
    said = f"FileNotFoundError: [Errno 2] No such file or directory: '{site}/pkg/../configs/a.yaml'"
    problems = [diagnostics.plain("import", said)]
    assert installed.add_left_out(site, ["pkg/__init__.py"], tree, problems)[-1] == "configs/a.yaml"
    assert not (site / "docs").exists()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("x")
    (tree / "keys").symlink_to(tmp_path / "outside")
    problems = [diagnostics.plain("import", said.replace("configs", "keys"))]
    assert installed.add_left_out(site, ["pkg/__init__.py"], tree, problems) == ()


def test_what_stands_beside_the_largest_package_stops_nothing_where_that_is_imported() -> None:
    names = ("big/__init__.py", "big/a.py", "old_big/__init__.py", "big_C.so", "one.py")
    modules = [installed.Module(name=name) for name in ("big", "old_big", "one")]
    modules.append(installed.Module(name="big_C", path="big_C.so"))
    assert installed.find_beside(names, modules, ["big"]) == {"old_big", "one"}
    assert installed.find_beside(names, modules, ["old_big", "one", "big_C"]) == set()


def test_nothing_that_the_tree_has_is_replaced(tmp_path: Path) -> None:
    site, tree = tmp_path / "site", tmp_path / "tree"
    for root, text in ((site, "installed"), (tree, "own")):
        (root / "pkg").mkdir(parents=True)
        (root / "pkg" / "__init__.py").write_text(text)
    (site / "pkg" / "_C.so").write_text("binary")
    names = ("pkg/__init__.py", "pkg/_C.so", "other/_C.so")
    assert installed.complete(site, names, tree) == ("pkg/_C.so",)
    assert (tree / "pkg" / "__init__.py").read_text() == "own"


def test_a_package_below_src_is_completed_there(tmp_path: Path) -> None:
    site, tree = tmp_path / "site", tmp_path / "tree"
    (site / "pkg").mkdir(parents=True)
    (site / "pkg" / "_C.so").write_text("binary")
    (tree / "src" / "pkg").mkdir(parents=True)
    (tree / "src" / "pkg" / "__init__.py").write_text("")
    assert installed.complete(site, ("pkg/_C.so",), tree) == ("src/pkg/_C.so",)


# ---------------------------------------------------------------------- real


EXTENSION = """
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(name="real_ops", packages=["real_ops"],
      ext_modules=[CppExtension(name="real_ops._C", sources=["ops.cpp"])],
      cmdclass={"build_ext": BuildExtension})
"""
OPERATOR = """
#include <torch/extension.h>
#include <torch/library.h>
at::Tensor same(const at::Tensor& x) { return at::empty_like(x); }
TORCH_LIBRARY(real_ops, m) { m.def("same(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(real_ops, CPU, m) { m.impl("same", &same); }
"""


@pytest.mark.real
@pytest.mark.long
@pytest.mark.parametrize("name", ["paddle"])
def test_an_extension_is_built_under_a_real_framework(
    name: str, framework_pythons: dict[str, Path], tmp_path: Path
) -> None:
    root = tmp_path / "root"
    (root / "real_ops").mkdir(parents=True)
    (root / "real_ops" / "__init__.py").write_text("import torch\n")
    (root / "setup.py").write_text("import paddle\npaddle.enable_compat()\n" + EXTENSION)
    (root / "ops.cpp").write_text(OPERATOR)
    framework = TARGETS[name]
    base = environment.use(framework_pythons[name], framework, tmp_path)
    cell = Cell(Tree.PATCHED, name, Device.CPU, Evidence.NATIVE)
    result = driver.build(root, cell, base, framework, tmp_path / "cell", Options(jobs=1))
    assert result.status is Status.OK, result.reason
    assert result.modules == ("real_ops", "real_ops._C")
    (root / "ops.cpp").write_text(OPERATOR.replace("at::empty_like(x)", "x.no_such_member()"))
    result = driver.build(root, cell, base, framework, tmp_path / "cell", Options(jobs=1))
    assert result.status is Status.FAILED
    (found,) = result.diagnostics
    assert (found.path, found.line, found.name) == ("ops.cpp", 4, "no_such_member")
