"""An analysis of a tree that was analyzed before is that of before, whatever else changed."""

from __future__ import annotations

import dataclasses
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from porter.host import kept
from porter.run.record import Analysis, RunRecord
from porter.run.store import Run
from porter.stages import analyze as stage
from porter.stages import remembered, session
from porter.stages.options import Options
from porter.survey import survey as surveying


class Quiet:
    @contextmanager
    def stage(self, label: str) -> Iterator[None]:
        yield

    def line(self, text: str) -> None: ...

    def note(self, text: str) -> None: ...

    def enter(self, stage: str) -> None: ...

    def expect(self, expected: object) -> None: ...


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "setup.py").write_text("from setuptools import setup\n\nsetup(name='o')\n")
    text = "import torch\n\nx = torch.empty(2).cuda()\ntorch.cuda.synchronize()\nx.numel() / 2\n"
    (tmp_path / "ops" / "use.py").write_text(text)
    return tmp_path / "ops"


def analyze(tree: Path, options: Options | None = None) -> tuple[Run, RunRecord]:
    run = session.begin(str(tree), Quiet())
    return run, stage.analyze(run, options or Options(), Quiet())


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The trees that are looked at anew."""
    found: list[Path] = []
    real = surveying.survey

    def told(root: Path, discovery: object) -> object:
        found.append(root)
        return real(root, discovery)  # type: ignore[arg-type]

    monkeypatch.setattr(surveying, "survey", told)
    return found


def test_the_same_tree_is_looked_at_once(tree: Path, looks: list[Path]) -> None:
    first, again = analyze(tree)[1].analysis, analyze(tree)[1].analysis
    assert len(looks) == 1
    assert first.missing
    assert again == first


def test_another_file_or_target_is_another_analysis(tree: Path, looks: list[Path]) -> None:
    first = analyze(tree)[1].analysis
    other = analyze(tree, Options(target="torch_npu"))[1].analysis
    (tree / "use.py").write_text("import torch\n\ntorch.hub.load('a', 'b')\n")
    changed = analyze(tree)[1].analysis
    assert len(looks) == 3
    assert len({first.target, other.target}) == 2
    assert changed.missing != first.missing


def test_a_tree_that_was_built_in_may_hold_more(tree: Path) -> None:
    run, record = analyze(tree)
    fresh = dataclasses.replace(record, stages=())
    assert remembered.key_of(fresh, run.base)
    assert not remembered.key_of(record, run.base)
    (run.base / ".gitmodules").write_text('[submodule "third"]\n\tpath = third\n')
    (run.base / "third").mkdir()
    assert remembered.key_of(fresh, run.base)
    (run.base / "third" / "common.py").write_text("import torch\n")
    assert not remembered.key_of(fresh, run.base)


def test_what_could_not_be_read_is_tried_again(tree: Path, looks: list[Path]) -> None:
    (tree / "broken.py").write_text("import torch\n\ndef (:\n")
    first, again = analyze(tree)[1].analysis, analyze(tree)[1].analysis
    assert [s.path for s in first.skipped] == ["broken.py"]
    assert again == first
    assert len(looks) == 2


class Harm:
    """What a pickle of code would be."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (Path.touch, (Path("harmed"),))  # type: ignore[return-value]


@pytest.mark.parametrize("entry", [Harm(), subprocess.run, 3, Analysis])
def test_an_entry_that_is_no_analysis_is_ignored_and_never_run(
    entry: object, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run, record = analyze(tree)
    key = remembered.key_of(dataclasses.replace(record, stages=()), run.base)
    assert remembered.load(key) == dataclasses.replace(record.analysis, of=())
    kept.save(remembered.KIND, {key: entry})
    assert remembered.load(key) is None
    assert not Path("harmed").exists()
    assert analyze(tree)[1].analysis == record.analysis
