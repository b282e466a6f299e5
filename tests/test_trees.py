"""Trees that are not one neat package: patched, built into sdists and wheels, and tested there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.porting import porter
from tests.trees import TREES, write

WORDS = {"package": (), "vendored": ("--vendor",)}
# A port takes minutes: each tree by one delivery, in turn.
PORTED = [(name, list(WORDS)[number % 2]) for number, name in enumerate(TREES)]
OTHERS = [(name, word) for name in TREES for word in WORDS if (name, word) not in PORTED]
MIGRATED = [*PORTED, *(pytest.param(*other, marks=pytest.mark.long) for other in OTHERS)]
RUFF = Path(sys.executable).with_name("ruff")
STYLE = (
    "check",
    "--isolated",
    "--select",
    "E402,F401,I001",
    "--line-length=100",
    "--output-format=concise",
)


def style(root: Path) -> set[tuple[str, str]]:
    """What a tree has of code between imports, unused and unsorted ones: file and code."""
    done = subprocess.run([RUFF, *STYLE], cwd=root, capture_output=True, text=True)
    return set(re.findall(r"^(.+?):\d+:\d+: (\w+) ", done.stdout, re.MULTILINE))


def migrated(home: Path, root: Path, delivery: str) -> Any:
    words = ("migrate", str(root), "--target", "paddle", *WORDS[delivery])
    code, document = porter(home, *words)
    assert code in (0, 1), document
    return document


def patched(home: Path, root: Path, delivery: str) -> Path:
    """The tree as `migrate` leaves it."""
    document = migrated(home, root, delivery)
    after = shutil.copytree(root, root.with_name("after"))
    subprocess.run(["git", "apply", document["patch"]["path"]], cwd=after, check=True)
    return after


@pytest.mark.parametrize(("name", "delivery"), MIGRATED)
def test_a_patch_is_whole_and_as_tidy_as_the_tree(
    home: Path, tmp_path: Path, name: str, delivery: str
) -> None:
    root = write(tmp_path / "tree", name)
    after = patched(home, root, delivery)
    assert style(after) <= style(root)
    again = migrated(home, after, delivery)
    assert again["patch"]["files"] == 0, Path(again["patch"]["path"]).read_text()
    assert again["open"] == []


@pytest.mark.real
@pytest.mark.long
@pytest.mark.parametrize(("name", "delivery"), PORTED)
def test_what_is_installed_of_a_port_passes(
    home: Path, tmp_path: Path, name: str, delivery: str
) -> None:
    root = write(tmp_path / "tree", name)
    _, document = porter(home, "port", str(root), "--target", "paddle", *WORDS[delivery])
    assert document["verdict"] == "PORTED", document["reasons"]
    passing = document["tests"]["source"]["passed"]
    assert passing == 2 * sum(path.startswith("tests/") for path in TREES[name])
    found = [(copy["form"], copy["status"], copy["passed"]) for copy in document["copies"]]
    assert found == [("sdist", "ok", passing), ("wheel", "ok", passing)], document["copies"]
