"""What one framework answered, recorded and compared with what another answers elsewhere."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from porter.cli.app import app
from porter.errors import UsageError
from porter.model import Device, ParityResult
from porter.parity import goldens
from porter.parity.side import Side

HERE = Path(__file__).parent
OPS = """
import ctypes, os
import torch
TARGET = os.environ.get("SIDE") == "target"
def same(tensor): return tensor
def wrong(tensor): return torch.from_numpy(tensor.array + TARGET)
def crashes(tensor): ctypes.string_at(0)
"""
CASES = """
[[case]]
name = "same"
call = "ops:same"
args = [{ shape = [2, 3] }]
[[case]]
name = "wrong"
call = "ops:wrong"
args = [{ shape = [2, 3] }]
[[case]]
name = "by hand"
call = "made.py:double"
args = [{ shape = [2, 3] }]
reference = "made.py:double"
"""
MADE = "import torch\ndef double(tensor): return torch.from_numpy(tensor.array * 2)\n"


def side(tmp_path: Path, prelude: str = "") -> Side:
    modules = tmp_path / "modules"
    modules.mkdir(exist_ok=True)
    (modules / "ops.py").write_text(OPS)
    (modules / "torch.py").write_text((HERE / "faketorch.py").read_text())
    (tmp_path / "work").mkdir(exist_ok=True)
    return Side(
        name="target",
        python=Path(sys.executable),
        prelude=prelude,
        work=tmp_path / "work",
        environment={"PYTHONPATH": str(modules)},
        timeout=5,
    )


def recorded(tmp_path: Path, cases: str = CASES) -> Path:
    (tmp_path / "porter.parity.toml").write_text(cases)
    (tmp_path / "made.py").write_text(MADE)
    folder = tmp_path / "goldens"
    goldens.record(tmp_path / "porter.parity.toml", folder, side(tmp_path), Device.CPU)
    return folder


def replayed(tmp_path: Path, folder: Path) -> dict[str, ParityResult]:
    there = side(tmp_path, "import os\nos.environ['SIDE'] = 'target'\n")
    return {result.case: result for result in goldens.replay(folder, there)}


def test_what_differs_from_the_recorded_answers_is_found(tmp_path: Path) -> None:
    results = replayed(tmp_path, recorded(tmp_path))
    assert {name: result.phase for name, result in results.items()} == {
        "same": "", "wrong": "values", "by hand": "",
    }  # fmt: skip


def test_goldens_need_nothing_but_their_folder(tmp_path: Path) -> None:
    folder = shutil.move(recorded(tmp_path), tmp_path / "elsewhere")
    (tmp_path / "porter.parity.toml").unlink()
    (tmp_path / "made.py").unlink()
    assert replayed(tmp_path, folder)["by hand"].phase == ""


def test_what_was_recorded_is_said(tmp_path: Path) -> None:
    said = goldens.read(recorded(tmp_path))
    assert said.device is Device.CPU
    assert said.environment.startswith("torch ")


@pytest.mark.parametrize("name", ["inputs/0_0.npy", "answers/1_0.npy", "made.py"])
def test_a_changed_file_is_not_compared(tmp_path: Path, name: str) -> None:
    folder = recorded(tmp_path)
    with (folder / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(UsageError) as caught:
        replayed(tmp_path, folder)
    assert name in str(caught.value)


def test_a_call_that_ended_its_process_was_recorded_as_such(tmp_path: Path) -> None:
    more = CASES + '[[case]]\nname = "crashes"\ncall = "ops:crashes"\nargs = [{ shape = [1] }]\n'
    results = replayed(tmp_path, recorded(tmp_path, more))
    assert results["crashes"].phase == "call"
    assert "SIGSEGV" in results["crashes"].message
    assert results["same"].phase == ""


def test_a_folder_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "goldens" / "mine.txt"
    kept.parent.mkdir()
    kept.write_text("mine")
    with pytest.raises(UsageError):
        recorded(tmp_path)
    assert kept.read_text() == "mine"
    with pytest.raises(UsageError):
        goldens.read(tmp_path / "goldens")


def test_recorded_goldens_are_never_written_over(tmp_path: Path) -> None:
    folder = recorded(tmp_path)
    before = (folder / "goldens.json").read_bytes()
    with pytest.raises(UsageError):
        recorded(tmp_path)
    assert (folder / "goldens.json").read_bytes() == before


def test_an_interpreter_without_the_framework_records_nothing(tmp_path: Path) -> None:
    (tmp_path / "porter.parity.toml").write_text(CASES)
    (tmp_path / "made.py").write_text(MADE)
    bare = side(tmp_path)
    (tmp_path / "modules" / "torch.py").unlink()
    with pytest.raises(UsageError) as caught:
        goldens.record(tmp_path / "porter.parity.toml", tmp_path / "g", bare, Device.CPU)
    assert "torch" in str(caught.value)
    assert not (tmp_path / "g").exists()
    goldens.record(tmp_path / "porter.parity.toml", tmp_path / "g", side(tmp_path), Device.CPU)
    assert goldens.read(tmp_path / "g").device is Device.CPU


# ---------------------------------------------------------------- the real ones


@pytest.mark.real
def test_recorded_under_torch_replayed_under_paddle(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    cases = tmp_path / "porter.parity.toml"
    cases.write_text(
        '[[case]]\nname = "softmax"\ncall = "torch.nn.functional:softmax"\n'
        'args = [{ shape = ["n", 7], dtype = "dtype", grad = true }]\nkwargs = { dim = -1 }\n'
        'grid = { n = [3, 0], dtype = ["float32", "float64"] }\n'
        '[[case]]\nname = "numbers"\ncall = "torch:numel"\nargs = [{ shape = [3] }]\n'
    )
    runner, folder = CliRunner(), str(tmp_path / "goldens")
    python = ["--python", str(framework_pythons["torch"])]
    made = runner.invoke(app, ["parity", "record", *python, "-o", folder, "--parity", str(cases)])
    assert made.exit_code == 0, made.output
    python = ["--python", str(framework_pythons["paddle"])]
    done = runner.invoke(app, ["parity", "replay", folder, *python, "--json"])
    found = json.loads(done.stdout)
    assert done.exit_code == 1  # Paddle's numel is a tensor
    failed = {case["case"]: case["phase"] for case in found["cases"] if case["status"] == "failed"}
    assert failed == {"numbers": "structure"}
    assert found["passed"] == 4
