"""The tutorial that ports a real repository: its commands print what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.porting import find_shown
from tests.system import need

pytestmark = [pytest.mark.real, pytest.mark.long]
PAGE = ROOT / "docs/tutorial/real-repository.md"
REPOSITORY = "pytorch/extension-cpp"
URL = f"https://github.com/{REPOSITORY}"
BLOCK = re.compile(r"^```(bash|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_source() -> Path | None:
    """Return where the repository is on this machine, in the place of GitHub."""
    name = REPOSITORY.replace("/", "+")
    shared = Path(os.environ.get("PORTER_SHARED", ROOT.parent / "shared"))
    mirrors = Path(os.environ.get("PORTER_CORPUS_GIT", "/nonexistent"))
    places = (shared / "repositories" / f"{name}.bundle", mirrors / name / "repo")
    return next((path for path in places if path.exists()), None)


@pytest.fixture
def settings(own_home: Path) -> dict[str, str]:
    """The environment of a user who has installed porter and set up git."""
    names = ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL")
    found = {**os.environ, **dict.fromkeys(names, "user@example.org"), "COLUMNS": "1000"}
    found |= {"PORTER_HOME": str(own_home), "GIT_TERMINAL_PROMPT": "0"}
    found["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if source := find_source():
        rows = {f"url.{source}.insteadOf": URL, "protocol.file.allow": "always"}
        found["GIT_CONFIG_COUNT"] = str(len(rows))
        for number, (key, value) in enumerate(rows.items()):
            found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    elif subprocess.run(
        ["git", "ls-remote", "-q", URL, "HEAD"], env=found, capture_output=True, timeout=60
    ).returncode:
        pytest.skip(f"{URL} cannot be reached, and neither shared/ nor a mirror has it")
    return found


def test_a_real_repository_is_ported_as_the_tutorial_says(
    settings: dict[str, str], tmp_path: Path
) -> None:
    need("nvcc")
    folder, said = tmp_path, ""
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "text":
            assert find_shown(text, said) == "", said
            continue
        script = f"set -e\n{text}pwd > {tmp_path}/folder"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"{text}{done.stdout}"
        folder, said = Path((tmp_path / "folder").read_text().strip()), done.stdout
    assert (folder / "report.html").is_file() and (folder / "pr.md").is_file()
    assert folder.name == "extension-cpp" and "porter/paddle" in said
    branches = ["git", "branch", "--format=%(refname:short)"]
    left = subprocess.run(branches, cwd=folder, check=True, capture_output=True, text=True).stdout
    assert "porter/paddle" not in left.split() and "port" in left.split()
