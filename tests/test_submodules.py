"""Submodules arrive when a run builds, and one that cannot be had is a note, not an end."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from porter.stages import session, submodules


class Quiet:
    """Progress that nobody reads."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def enter(self, stage: str) -> None:
        pass

    def expect(self, expected: object) -> None:
        pass

    @contextmanager
    def stage(self, label: str) -> Iterator[None]:
        yield

    def line(self, text: str) -> None: ...

    def note(self, text: str) -> None:
        self.notes.append(text)


def git(folder: Path, *arguments: str) -> None:
    config = ("user.name=t", "user.email=t@t", "protocol.file.allow=always")
    options = [part for item in config for part in ("-c", item)]
    subprocess.run(["git", *options, *arguments], cwd=folder, check=True)


def repo_at(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "header.h").write_text("#pragma once\n#include <torch/extension.h>\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    repo_at(tmp_path / "inner")
    repo = repo_at(tmp_path / "repo")
    git(repo, "submodule", "--quiet", "add", str(tmp_path / "inner"), "third")
    git(repo, "commit", "-q", "-m", "submodule")
    git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
    return tmp_path / "bare.git"


def test_both_trees_of_a_run_get_them_wherever_porter_stands_later(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = session.begin("bare.git", Quiet())
    monkeypatch.chdir("/")
    before = run.load()
    assert submodules.bring_submodules(run, before, Quiet()) == before
    for tree in (run.tree, run.base):
        assert (tree / "third" / "header.h").is_file()


def test_one_that_is_gone_is_noted_once_and_ends_nothing(repo: Path, tmp_path: Path) -> None:
    run = session.begin("bare.git", Quiet())
    (tmp_path / "inner").rename(tmp_path / "gone")
    said = Quiet()
    kept = submodules.bring_submodules(
        run, submodules.bring_submodules(run, run.load(), said), said
    )
    assert len(kept.notes) == 1 and "submodule" in kept.notes[0]
    assert said.notes


def test_a_tree_without_any_is_left_alone(repo: Path, tmp_path: Path) -> None:
    run = session.begin("inner", Quiet())
    said = Quiet()
    assert submodules.bring_submodules(run, run.load(), said) == run.load()
    assert not said.notes
