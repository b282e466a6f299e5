"""A target is one folder in porter/targets/ and one in rules/; nothing else of porter names it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter import targets
from tests.conftest import ROOT

# What code for NPUs comes from: other targets have rules for it, as all have for torch.
SOURCES = frozenset({targets.source(device).name for device in targets.Device})
NAMES = tuple(targets.BUILT_IN)

GUIDE = (ROOT / "docs" / "how-to" / "add-a-target.md").read_text(encoding="utf-8")
FILE = re.compile(r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = dict(FILE.findall(GUIDE))  # the files of the guide
TARGET = SHOWN["porter/targets/toy/__init__.py"]
RULE = """title = "torch.relu"
message = "the toy spells it relu_"
safety = "safe"
catalogue = []
missing = ["torch.relu"]

[find]
name = "torch.relu"
replace = "torch.relu_"
"""
README = """# torch.relu

```python before
import torch
y = torch.relu(x)
```
```python after
import torch
y = torch.relu_(x)
```
"""


def mentions(name: str) -> Iterator[str]:
    """The files of porter that name a target outside of its folders."""
    word = re.compile(name, re.IGNORECASE)
    own = {f"{top}/{other}/" for top in ("porter/targets", "rules") for other in NAMES}
    foreign = own if name in SOURCES else {f"porter/targets/{name}/", f"rules/{name}/"}
    tracked = subprocess.run(
        ["git", "ls-files", "porter", "rules"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for path in tracked.stdout.splitlines():
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        if not path.startswith(tuple(foreign)) and (word.search(path) or word.search(text)):
            yield path


@pytest.mark.parametrize("name", NAMES)
def test_no_file_outside_of_its_folders_names_a_target(name: str) -> None:
    assert list(mentions(name)) == []


@pytest.fixture
def with_toy(tmp_path: Path) -> Path:
    """porter, with one more folder in porter/targets/ and one in rules/."""
    shutil.copytree(ROOT / "porter", tmp_path / "porter", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copytree(ROOT / "rules" / "torch", tmp_path / "rules" / "torch")
    shutil.copytree(ROOT / "rules" / "ascend", tmp_path / "rules" / "ascend")
    rule = "rules/toy/python/relu"
    for name, text in {**SHOWN, f"{rule}/rule.toml": RULE, f"{rule}/README.md": README}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def project(folder: Path) -> Path:
    package = folder / "ops"
    package.mkdir(parents=True)
    (folder / "setup.py").write_text("from setuptools import setup\nsetup(name='ops')\n")
    (package / "__init__.py").write_text("import torch\n\n\ndef f(x):\n    return torch.relu(x)\n")
    return folder


def porter(home: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(home), "PORTER_HOME": str(home / "data")}
    return subprocess.run(
        [sys.executable, "-m", "porter", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=environment,
    )


def test_a_target_of_two_folders_is_analyzed_for_and_migrated_to(with_toy: Path) -> None:
    tree = project(with_toy / "project")
    analyzed = porter(with_toy, "analyze", ".", "--target", "toy", "--json", cwd=tree)
    assert analyzed.returncode == 0, analyzed.stderr
    found = json.loads(analyzed.stdout)
    assert [f["rule"] for f in found["findings"]] == ["toy/python/relu"]
    migrated = porter(with_toy, "migrate", ".", "--target", "toy", "--no-compiler", cwd=tree)
    assert migrated.returncode == 0, migrated.stderr + migrated.stdout
    patch = porter(with_toy, "patch", cwd=tree)
    assert "+    return torch.relu_(x)" in patch.stdout, patch.stderr


def installed(folder: Path, entry: str) -> None:
    """A distribution with an entry point, as pip leaves one."""
    info = folder / "porter_toy-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: porter-toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[porter.targets]\ntoy = {entry}\n")


def explained(folder: Path) -> subprocess.CompletedProcess[str]:
    home = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-m", "porter", "explain", "torch.relu", "--target", "toy"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": home},
    )


def test_a_target_of_an_installed_distribution_is_found_with_its_rules(tmp_path: Path) -> None:
    installed(tmp_path, "porter_toy:TARGET")
    own = 'name = "toy"\n    rules = __import__("pathlib").Path(__file__).parent / "rules"'
    (tmp_path / "porter_toy.py").write_text(TARGET.replace('name = "toy"', own))
    surface = tmp_path / "rules" / "toy" / "surfaces" / "1.0.0.json"
    surface.parent.mkdir(parents=True)
    surface.write_text(SHOWN["rules/toy/surfaces/1.0.0.json"])
    said = explained(tmp_path)
    assert "toy 1.0.0: missing" in said.stdout, said.stderr


@pytest.mark.parametrize(
    ("entry", "text", "reason"),
    [
        ("porter_toy:TARGET", "raise RuntimeError('too old')\n", "RuntimeError: too old"),
        ("porter_toy:TARGET", "TARGET = 1\n", "is not a porter.targets.Target"),
        ("porter_gone:TARGET", "", "No module named"),
        ("porter_toy:TARGET", TARGET.replace('name = "toy"', 'name = "paddle"'), "already exists"),
    ],
)
def test_a_broken_distribution_is_named(tmp_path: Path, entry: str, text: str, reason: str) -> None:
    installed(tmp_path, entry)
    (tmp_path / "porter_toy.py").write_text(text)
    said = explained(tmp_path)
    assert said.returncode == 3 and "Traceback" not in said.stderr, said.stderr
    assert reason in said.stderr and "porter-toy" in said.stderr
