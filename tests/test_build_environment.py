"""Environments: plans are read before anything is installed; half-made ones are made anew."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from porter.build import environment, pip
from porter.errors import EnvironmentFailed, NetworkError
from porter.host import process
from porter.model import Device, Step, StepResult
from porter.targets import SOURCE, Environment

CPU = SOURCE.environment("2.13.0", Device.CPU)
VENDOR = CPU.index


class Usage(NamedTuple):
    """What `shutil.disk_usage` tells, of which only this is read. In bytes."""

    free: int


class Machine:
    """Stands in for the machine: answers steps, and notes which ones were asked for."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path
        self.asked: list[tuple[str, ...]] = []
        self.plans: Callable[[tuple[str, ...]], list[str] | str] = lambda argv: ["torch", "numpy"]
        self.install_output = ""

    def run(
        self, step: Step, log: Path, on_line: Callable[[str], None] = lambda line: None
    ) -> StepResult:
        self.asked.append(step.argv)
        output, returncode = self.answer(step)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(output)
        return StepResult(
            name=step.name, argv=step.argv, returncode=returncode, seconds=0.0,
            timed_out=False, marked=None, log=str(log), tail=output,
        )  # fmt: skip

    def answer(self, step: Step) -> tuple[str, int]:
        if step.argv[1:3] == ("-m", "venv"):
            folder = Path(step.argv[-1])
            for name in ("bin", "lib/python3.11/site-packages"):
                (folder / name).mkdir(parents=True)
            (folder / "bin" / "python").write_text("")
            return "", 0
        if "--dry-run" in step.argv:
            planned = self.plans(step.argv)
            if isinstance(planned, str):
                return planned, 1
            items = [
                {"metadata": {"name": n, "version": "1"}, "download_info": {"url": "file:///x"}}
                for n in planned
            ]
            report = step.argv[step.argv.index("--report") + 1]
            Path(report).write_text(json.dumps({"install": items}))
            return "", 0
        if "install" in step.argv:
            return self.install_output, 1 if self.install_output else 0
        (self.root / "torch").mkdir(exist_ok=True)
        found = {"version": "2.13.0+cpu", "build": "cpu", "root": str(self.root / "torch")}
        return json.dumps({**found, "include": "/i", "paths": ["/p"], "proxy": False}), 0

    def installs(self) -> list[tuple[str, ...]]:
        return [argv for argv in self.asked if "install" in argv and "--dry-run" not in argv]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine(tmp_path)
    monkeypatch.setattr(process, "run", found.run)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(free=1 << 40))
    monkeypatch.delenv(CPU.override, raising=False)
    return found


def test_the_users_own_index_is_asked_first(machine: Machine, tmp_path: Path) -> None:
    made = environment.prepare(CPU, SOURCE, home=tmp_path)
    assert made.version == "2.13.0+cpu"
    assert len(machine.installs()) == 1
    assert "--index-url" not in machine.installs()[0]
    asked = [argv for argv in machine.asked if "install" in argv]
    assert all("--only-binary" in argv for argv in asked), "an sdist would be built"


def test_an_environment_is_made_once(machine: Machine, tmp_path: Path) -> None:
    first = environment.prepare(CPU, SOURCE, home=tmp_path)
    asked = len(machine.asked)
    assert environment.prepare(CPU, SOURCE, home=tmp_path) == first
    assert len(machine.asked) == asked


def test_a_half_made_environment_is_made_anew(machine: Machine, tmp_path: Path) -> None:
    left = tmp_path / "envs" / environment.key(CPU) / "bin"
    left.mkdir(parents=True)
    (left / "rubbish").write_text("")
    environment.prepare(CPU, SOURCE, home=tmp_path)
    assert not (left / "rubbish").exists()


def test_a_plan_with_cuda_packages_goes_to_the_vendors_index(
    machine: Machine, tmp_path: Path
) -> None:
    machine.plans = lambda argv: ["torch"] if VENDOR in argv else ["torch", "nvidia-cublas"]
    environment.prepare(CPU, SOURCE, home=tmp_path)
    assert VENDOR in machine.installs()[0]


def test_nothing_is_installed_when_every_plan_has_cuda_packages(
    machine: Machine, tmp_path: Path
) -> None:
    machine.plans = lambda argv: ["torch", "nvidia-cublas", "triton"]
    with pytest.raises(EnvironmentFailed, match="nvidia-cublas, triton") as caught:
        environment.prepare(CPU, SOURCE, home=tmp_path)
    assert CPU.override in caught.value.hint
    assert machine.installs() == []


def test_an_environment_for_a_gpu_may_have_cuda_packages(machine: Machine, tmp_path: Path) -> None:
    machine.plans = lambda argv: ["torch", "nvidia-cublas", "triton"]
    environment.prepare(SOURCE.environment("2.13.0", Device.CUDA), SOURCE, home=tmp_path)
    assert len(machine.installs()) == 1


def test_an_index_named_by_the_user_is_the_only_one_asked(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CPU.override, "https://mirror.example/cpu")
    environment.prepare(CPU, SOURCE, home=tmp_path)
    plans = [argv for argv in machine.asked if "--dry-run" in argv]
    assert len(plans) == 1
    assert "https://mirror.example/cpu" in plans[0]


def test_no_network_is_said_as_such(machine: Machine, tmp_path: Path) -> None:
    machine.plans = lambda argv: "NewConnectionError: Temporary failure in name resolution"
    with pytest.raises(NetworkError, match="index cannot be reached") as caught:
        environment.prepare(CPU, SOURCE, home=tmp_path)
    assert "PIP_INDEX_URL" in caught.value.hint
    assert len([argv for argv in machine.asked if "--dry-run" in argv]) == 1


def test_a_version_that_does_not_exist_is_said_with_pips_words(
    machine: Machine, tmp_path: Path
) -> None:
    machine.plans = lambda argv: "ERROR: No matching distribution found for torch==99"
    with pytest.raises(EnvironmentFailed, match="No matching distribution found for torch==99"):
        environment.prepare(CPU, SOURCE, home=tmp_path)


def test_a_full_disk_is_said_as_such(machine: Machine, tmp_path: Path) -> None:
    machine.install_output = "ERROR: [Errno 28] No space left on device"
    with pytest.raises(EnvironmentFailed, match="disk is full"):
        environment.prepare(CPU, SOURCE, home=tmp_path)


def test_too_little_disk_is_said_before_anything_is_made(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(free=1 << 30))
    with pytest.raises(EnvironmentFailed, match="GB free"):
        environment.prepare(CPU, SOURCE, home=tmp_path)
    assert machine.asked == []


def test_names_of_cuda_packages() -> None:
    names = ["nvidia-cudnn-cu13", "triton", "cuda-toolkit", "numpy", "tritonclient", "torch"]
    planned = [pip.Planned(name, "1", "") for name in names]
    assert pip.cuda_packages(planned) == ("nvidia-cudnn-cu13", "triton", "cuda-toolkit")


def test_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailed, match="no interpreter at"):
        environment.use(tmp_path / "python", SOURCE, tmp_path)


def test_an_interpreter_without_the_framework(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailed, match=r"no usable torch: .*No module named 'torch'"):
        environment.use(Path(sys.executable), SOURCE, tmp_path)


@pytest.mark.long
def test_an_overlay_sees_the_base_and_leaves_it_alone(tmp_path: Path) -> None:
    base_site = tmp_path / "base"
    base_site.mkdir()
    (base_site / "of_the_base.py").write_text("WHERE = 'base'\n")
    base = Environment(
        python=Path(sys.executable), framework="torch", version="1", build="cpu",
        paths=(str(base_site),),
    )  # fmt: skip
    made = environment.overlay(base, tmp_path / "overlay")
    (Path(made.paths[0]) / "of_the_overlay.py").write_text("")
    step = Step(
        name="look",
        argv=(str(made.python), "-c", "import of_the_base, of_the_overlay; print('seen')"),
        cwd=str(tmp_path),
    )
    assert process.run(step, tmp_path / "look.log").tail == "seen"
    assert [path.name for path in base_site.glob("*.py")] == ["of_the_base.py"]
