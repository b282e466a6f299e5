"""What is packed for another machine, and what is taken for its result."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from porter.cli.elsewhere import main
from porter.console import Console
from porter.errors import UsageError
from porter.model import (
    BuildResult,
    Cell,
    Device,
    Evidence,
    Residue,
    Stage,
    State,
    Status,
    StepResult,
    Tree,
)
from porter.run import store
from porter.run.record import PatchRecord, SourceRecord
from porter.run.store import Run
from porter.stages import bundle
from porter.stages.options import Options
from tests.records import changed

CPU, CUDA = (
    Cell(Tree.PATCHED, "paddle", device, Evidence.NATIVE) for device in (Device.CPU, Device.CUDA)
)

UNKNOWN = Residue(
    path="a.py", line=1, column=1, name="torch.cuda.f", reason="not listed", state=State.UNKNOWN
)


PATCH = PatchRecord(path="port.patch")


def built(cell: Cell) -> BuildResult:
    step = StepResult(
        name="install",
        argv=(),
        returncode=0,
        seconds=1.0,
        timed_out=False,
        marked=None,
        log="install.log",
        tail="",
    )
    return BuildResult(cell=cell, status=Status.OK, python="/there/python", steps=(step,))


@pytest.fixture
def run(home: Path) -> Run:
    """One that was migrated, and built for the CPU."""
    made = store.create()
    source = SourceRecord(written="ops", identity="path:/ops", kind="path")
    kept = store.begin(made, source).replace_stage(
        Stage(name="migrate", status=Status.OK, seconds=1.0)
    )
    left = (UNKNOWN,)
    made.save(changed(kept, target="paddle", builds=(built(CPU),), residue=left, patch=PATCH))
    for folder in (made.base, made.tree, made.patch):
        folder.mkdir()
        (folder / "a.py").write_text("import torch\n")
    return made


@pytest.fixture
def without_porter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundles without porter itself, whose thousands of files take seconds to copy and pack."""
    monkeypatch.setattr(bundle, "_copy_porter", lambda folder: None)


def packed(run: Run, tmp_path: Path) -> Path:
    bundle.pack(run, tmp_path / "b.tar.gz", Options(), Console(quiet=True))
    with tarfile.open(tmp_path / "b.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    return next(tmp_path.glob("porter-bundle-*"))


def result(there: Path, run: Run, tmp_path: Path, *builds: BuildResult) -> Path:
    """What the script writes, with these builds in its record."""
    folder = there / "home" / "runs" / run.folder.name
    found = Run(folder)
    learned = (dataclasses.replace(UNKNOWN, state=State.MISSING),)
    found.save(changed(found.load(), builds=builds, residue=learned))
    path = tmp_path / "result.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(there / "bundle.json", "bundle.json")
        archive.add(folder / "record.json", "record.json")
    return path


def test_a_bundle_has_the_trees_and_nothing_that_was_built_here(run: Run, tmp_path: Path) -> None:
    there = packed(run, tmp_path)
    folder = there / "home" / "runs" / run.folder.name
    assert (folder / "tree" / "a.py").is_file() and (folder / "base" / "a.py").is_file()
    assert Run(folder).load().builds == ()
    assert run.load().builds == (built(CPU),)
    assert not any(path.suffix == ".so" for path in (there / "lib").rglob("*"))


@pytest.mark.long
def test_porter_starts_from_a_bundle_alone(run: Run, tmp_path: Path) -> None:
    """Without typer, as nothing but numpy is sure to be there."""
    there = packed(run, tmp_path)
    code = "import sys; sys.path.insert(0, sys.argv[1]); import porter.cli.elsewhere as e;"
    code += "print(e.__file__, 'typer' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(there / "lib")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(there / "lib/porter/cli/elsewhere.py"), "False"]


def test_an_existing_file_is_not_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        bundle.pack(run, tmp_path / "b.tar.gz", Options(), Console(quiet=True))


@pytest.mark.usefixtures("without_porter")
def test_what_ran_there_is_taken_over_and_judged(run: Run, tmp_path: Path) -> None:
    there = packed(run, tmp_path)
    kept = bundle.bring(run, result(there, run, tmp_path, built(CUDA)), Options())
    assert {build.cell for build in kept.builds} == {CPU, CUDA}
    cuda = next(build for build in kept.builds if build.cell == CUDA)
    assert cuda.python is None  # no interpreter of this machine
    assert [left.state for left in kept.residue] == [State.MISSING]  # as was learned there
    assert run.load() == kept


@pytest.mark.usefixtures("without_porter")
def test_a_result_of_which_nothing_was_built_is_refused(run: Run, tmp_path: Path) -> None:
    path = result(packed(run, tmp_path), run, tmp_path)
    with pytest.raises(UsageError, match="nothing was built"):
        bundle.bring(run, path, Options())


@pytest.mark.usefixtures("without_porter")
def test_a_result_of_another_patch_is_refused(run: Run, tmp_path: Path) -> None:
    path = result(packed(run, tmp_path), run, tmp_path, built(CUDA))
    (run.patch / "a.py").write_text("import os\n")
    with pytest.raises(UsageError, match="another patch"):
        bundle.bring(run, path, Options())
    assert run.load().builds == (built(CPU),)


@pytest.mark.parametrize("kind", ["text", "without", "outside"])
def test_what_is_no_result_is_refused(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.tar.gz"
    if kind == "text":
        path.write_text("no archive")
    else:
        (tmp_path / "bundle.json").write_text(json.dumps({"run": run.folder.name}))
        with tarfile.open(path, "w:gz") as archive:
            archive.add(tmp_path / "bundle.json", "bundle.json")
            if kind == "outside":
                link = tarfile.TarInfo("record.json")
                link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
                archive.addfile(link)
    with pytest.raises(UsageError, match="no result of a bundle"):
        bundle.bring(run, path, Options())


def test_the_script_says_what_it_lacks(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--run", run.folder.name, "--device", "cpu", "--target-python", "/no/python"]
    assert main(words) != 0
    assert "/no/python" in capsys.readouterr().err
