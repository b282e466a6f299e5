"""A source that is as it was is not copied or read again; any change of it is seen."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from porter.cli.app import app
from porter.run import store
from porter.sources import unchanged


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def git(tree: Path, *words: str) -> None:
    named = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
    subprocess.run(["git", *named, *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture(params=["clone", "folder"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "ops"
    (root / "ops").mkdir(parents=True)
    (root / "setup.py").write_text("from setuptools import setup\n\nsetup(name='ops')\n")
    (root / "ops" / "use.py").write_text("import torch\n\ntorch.empty(2).cuda()\n")
    (root / "ops" / "other.py").write_text("x = 1\n")
    if request.param == "clone":
        git(root, "init", "-q")
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", "first")
    monkeypatch.setattr(unchanged, "SETTLED", -3600)  # as if all of that were long ago
    return root


def analyze(*more: str) -> dict[str, object]:
    done = CliRunner().invoke(app, ["analyze", "ops", "--json", *more])
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_same_source_is_the_same_run(tree: Path) -> None:
    first, again = analyze(), analyze()
    assert first["run"] == again["run"]
    assert first == again
    assert len(store.all_runs()) == 1


def test_other_choices_are_another_run_and_the_first_one_is_not_touched(tree: Path) -> None:
    first, other = analyze(), analyze("--target", "torch_npu")
    assert first["run"] != other["run"]
    assert analyze()["run"] not in (first["run"], other["run"]), "the newest is for another target"
    assert len(store.all_runs()) == 3


def append(path: Path) -> None:
    path.write_text(path.read_text() + "torch.cuda.synchronize()\n")


def swap(path: Path) -> None:
    """Other bytes, with the size and times of before."""
    said = path.stat()
    path.write_bytes(path.read_bytes().replace(b"cuda", b"xpu "))
    os.utime(path, ns=(said.st_atime_ns, said.st_mtime_ns))


def replace(path: Path) -> None:
    said = path.stat()
    new = path.with_suffix(".new")
    new.write_bytes(path.read_bytes().replace(b"cuda", b"xpu "))
    os.utime(new, ns=(said.st_atime_ns, said.st_mtime_ns))
    new.rename(path)


CHANGES: dict[str, Callable[[Path], None]] = {
    "edited": append,
    "same size and time": swap,
    "another file of that name": replace,
    "gone": Path.unlink,
    "renamed": lambda path: (path.rename(path.with_name("new.py")), None)[1],
    "executable": lambda path: path.chmod(0o755),
    "a link": lambda path: (path.unlink(), path.symlink_to("other.py"), None)[2],
    "one more": lambda path: (path.with_name("more.py").write_text("import torch\n"), None)[1],
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_another_run(tree: Path, change: str) -> None:
    first = analyze()
    time.sleep(0.02)  # the clock of a file system may be that coarse
    CHANGES[change](tree / "ops" / "use.py")
    assert analyze()["run"] != first["run"]


@pytest.mark.parametrize("tree", ["clone"], indirect=True)
def test_another_commit_is_another_run(tree: Path) -> None:
    first = analyze()
    git(tree, "commit", "-q", "--allow-empty", "-m", "second")
    assert analyze()["run"] != first["run"]


def test_a_run_that_went_on_is_left_as_it_is(tree: Path) -> None:
    first = analyze()
    done = CliRunner().invoke(app, ["migrate", "--no-compiler", "--json"])
    assert json.loads(done.stdout)["run"] == first["run"], "nothing changed meanwhile"
    assert analyze()["run"] != first["run"]


def test_a_run_that_was_asked_for_again_is_the_newest(tree: Path, tmp_path: Path) -> None:
    first = analyze()
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "setup.py").write_text("import torch\n")
    assert CliRunner().invoke(app, ["analyze", "plain", "--json"]).exit_code == 0
    analyze()
    assert [run.folder.name for run in store.all_runs()][-1] == first["run"]


def test_a_damaged_record_is_no_earlier_run(tree: Path, home: Path) -> None:
    first = analyze()
    (home / "runs" / str(first["run"]) / "record.json").write_text("{")
    assert analyze()["run"] != first["run"]


def test_what_changed_just_now_may_change_again(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unchanged, "SETTLED", 2)
    assert unchanged.state(tree) == ""
    assert analyze()["run"] != analyze()["run"]


def test_a_folder_that_tells_too_little_has_no_state(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unchanged.state(tree)
    assert unchanged.state(tmp_path / "nowhere") == ""
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".git").write_text("gitdir: elsewhere\n")
    assert unchanged.state(tmp_path / "linked") == ""
    monkeypatch.setattr(unchanged, "MOST", 2)
    assert unchanged.state(tree) == ""
