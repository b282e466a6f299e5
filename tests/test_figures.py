"""The figures of README and tutorial, and a picture, are what the commands print now.

Here what needs no framework; the rest by the real port in test_port_fixture.py.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from porter.rules.pages import pages
from tests import pictures, support
from tests.conftest import ROOT
from tests.porting import README, TUTORIAL, find_shown, porter, said_of_vecops
from tests.test_cli import shown

LIMITATIONS = ROOT / "docs/explanation/limitations.md"


@pytest.fixture(scope="module")
def vecops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture as a user has it, outside of porter's own checkout."""
    tree = tmp_path_factory.mktemp("figures") / "vecops"
    shutil.copytree(ROOT / "fixtures/vecops", tree)
    return tree


def test_the_tutorial_shows_what_analyze_says(
    vecops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path))
    text = shown("analyze", vecops, cwd=vecops, code=0)
    block, _, _ = said_of_vecops(TUTORIAL).partition("missing or incompatible")
    assert "17 read" in block and find_shown(block, text) == ""
    for page in (README, TUTORIAL):
        shows = said_of_vecops(page)
        named = re.search(r"incompatible in paddle \S+ \((\d+ names, \d+ uses)", shows)
        assert named and named[1] in text


def test_readme_and_tutorial_show_the_patch(vecops: Path, tmp_path: Path) -> None:
    """Which the compiler does not change; so it is not asked here."""
    porter(tmp_path, "analyze", str(vecops))
    _, document = porter(tmp_path, "migrate", str(vecops), "--no-compiler")
    patch = document["patch"]
    size = f"({patch['files']} files, +{patch['added']} -{patch['removed']})"
    shows = [said_of_vecops(page) for page in (README, TUTORIAL)]
    assert all(f"patch {size}" in said for said in shows)
    lines = f"{patch['added'] + patch['removed']} lines in {patch['files']} files"
    assert lines in TUTORIAL.read_text()
    changed = re.findall(r"^diff --git a/(\S+)", Path(patch["path"]).read_text(), re.MULTILINE)
    assert all(f"\n  {path} " in said for path in changed for said in shows)


def test_the_picture_of_a_terminal_shows_what_analyze_says(
    vecops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", str(pictures.WIDTH))
    said = "".join(shown("analyze", vecops, cwd=vecops, code=0).split())
    assert said in pictures.read_terminal(), "run `make pictures`"


def test_pictures_are_small_and_ask_for_nothing() -> None:
    every = [*pictures.PICTURES.iterdir()]
    assert {path.suffix for path in every} == {".png", ".svg"}
    assert {path.name for path in every if path.stat().st_size > 150_000} == set()
    drawn = "".join(path.read_text() for path in every if path.suffix == ".svg")
    assert not re.search(r"url\((?!#)|href=|@import", drawn)


def test_readme_is_short() -> None:
    assert README.read_text().count("\n") < 150


def test_the_support_matrix_says_what_the_results_say() -> None:
    assert support.PAGE.read_text() == support.page(), "run `make pages`"


def test_figures_of_reference_pages_are_those_of_others() -> None:
    text = " ".join(README.read_text().split())
    reference = ROOT / "docs/reference"
    entries = pages(reference)["catalogue.md"].count("\n| ") - 1
    assert f"{entries} kinds of edit" in " ".join(LIMITATIONS.read_text().split())
    unmodified = (reference / "unmodified.md").read_text()
    (tests,) = re.findall(r"torch-scatter passes its ([\d,]+) tests", text)
    assert re.search(rf"pytorch_scatter .*\| {tests.replace(',', '')} \| 0 ", unmodified)


def test_a_figure_that_changed_is_named() -> None:
    said = "tests  3 files\n\nfiles  17 read\n"
    assert find_shown("tests 3 files ... 17 read", said) == ""
    assert find_shown("tests 3 files ... 18 read", said) == "18 read"
    assert find_shown("17 read ... tests 3 files", said) == "tests 3 files", "in this order"
