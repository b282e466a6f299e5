"""What porter keeps on the disk: listed, compared and deleted."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from porter.cli.stored import size
from porter.host import alive
from porter.report.changes import changes
from porter.run import store
from porter.stages import clean
from porter.stages.session import AT_WORK
from tests.test_cli import document, porter

SIMPLE = "import torch\n\nx = torch.zeros(2)\n"


def analyzed(folder: Path, name: str, text: str = SIMPLE) -> str:
    """The run of a tree with one package."""
    package = folder / name / name
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text(text)
    found = document("analyze", str(folder / name), cwd=folder, code=0)
    return str(found["run"])


def cleaned(cwd: Path, *options: str) -> Any:
    done = porter("clean", *options, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kept() -> list[str]:
    return [run.folder.name for run in store.all_runs()]


def test_the_newest_run_of_each_source_stays(home: Path, tmp_path: Path) -> None:
    old, new, other = (analyzed(tmp_path, name) for name in ("ops", "ops", "more"))
    listed = cleaned(tmp_path, "--dry-run")
    assert [Path(one["path"]).name for one in listed["removed"]] == [old]
    assert kept() == [old, new, other]
    done = cleaned(tmp_path)
    assert done["bytes"] == listed["bytes"] > 0
    assert kept() == [new, other] and not (home / "runs" / old).exists()
    assert len(cleaned(tmp_path, "--all-runs")["removed"]) == 2
    assert kept() == []


def test_runs_of_the_last_days_stay_where_that_is_asked(home: Path, tmp_path: Path) -> None:
    analyzed(tmp_path, "ops"), analyzed(tmp_path, "ops")
    assert cleaned(tmp_path, "--all-runs", "--older-than", "1")["removed"] == []
    assert len(cleaned(tmp_path, "--all-runs", "--older-than", "0")["removed"]) == 2


def test_a_run_that_cannot_be_read_goes(home: Path, tmp_path: Path) -> None:
    run = analyzed(tmp_path, "ops")
    (home / "runs" / run / "record.json").write_text("{")
    assert [Path(one["path"]).name for one in cleaned(tmp_path)["removed"]] == [run]


def test_what_is_being_worked_on_stays(home: Path, tmp_path: Path) -> None:
    run = analyzed(tmp_path, "ops")
    alive.write(home / "runs" / run / AT_WORK, os.getppid())  # another process that lives
    assert cleaned(tmp_path, "--all-runs")["removed"] == []
    done = porter("clean", "--caches", cwd=tmp_path)
    assert done.returncode == 2 and run in done.stderr


def test_only_the_caches_of_porter_go_and_no_link_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare, elsewhere = tmp_path / "bare", tmp_path / "elsewhere"
    monkeypatch.setenv("PORTER_HOME", str(bare))
    for folder in (bare / "objects/a", bare / "mine", elsewhere / "torch"):
        folder.mkdir(parents=True)
    (bare / "envs").symlink_to(elsewhere)
    removed = cleaned(tmp_path, "--caches", "--environments")["removed"]
    assert [Path(one["path"]).name for one in removed] == ["objects"]
    assert not (bare / "objects").exists()
    assert (bare / "mine").is_dir() and (elsewhere / "torch").is_dir()


def test_a_run_that_begins_between_finding_and_removing_stays(home: Path, tmp_path: Path) -> None:
    run = home / "runs" / analyzed(tmp_path, "ops")
    (found,) = clean.find(clean.Choice(every_run=True))
    alive.write(run / AT_WORK, os.getppid())
    assert not clean.remove(found) and run.is_dir()


def test_what_differs_between_two_runs_is_named(home: Path, tmp_path: Path) -> None:
    before = analyzed(tmp_path, "ops")
    time.sleep(0.01)
    after = analyzed(tmp_path, "ops", SIMPLE + "y = torch.cuda.current_stream().cuda_stream\n")
    same = porter("runs", "compare", before, before, "--json", cwd=tmp_path)
    assert json.loads(same.stdout) == []
    found = json.loads(porter("runs", "compare", before, after, "--json", cwd=tmp_path).stdout)
    assert [set(change) for change in found] == [{"what", "before", "after"}] * len(found)
    assert found[0]["what"] == "commit" and found[0]["before"] != found[0]["after"]
    old, new = store.find(before).load(), store.find(after).load()
    assert [c.after for c in changes(old, new)] == [c.before for c in changes(new, old)]


def test_runs_are_listed_with_their_sizes(home: Path, tmp_path: Path) -> None:
    run = analyzed(tmp_path, "ops")
    (row,) = json.loads(porter("runs", "--json", cwd=tmp_path).stdout)
    assert row["run"] == run and row["bytes"] > 0
    assert size(row["bytes"]) in porter("runs", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (999, "999 B"), (12_300, "12 kB"), (1.4e9, "1.4 GB")]
)
def test_sizes_are_for_people(count: int, text: str) -> None:
    assert size(count) == text
