"""What tests of whole ports share: the command as a user types it, and what its patch says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT


def porter(home: Path, *arguments: str, cwd: Path | None = None) -> tuple[int, Any]:
    """A command as a user types it; its exit code and JSON document."""
    done = subprocess.run(
        [sys.executable, "-m", "porter", *arguments, "--json"],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PORTER_HOME": str(home)},
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def without_the_unit(patch: str) -> str:
    """The part of a patch that is about the repository's own files."""
    files = re.split(r"(?m)^(?=diff --git )", patch)
    return "".join(text for text in files[1:] if "_porter_compat" not in text.partition("\n")[0])


README, TUTORIAL = ROOT / "README.md", ROOT / "docs/tutorial/first-port.md"


def said_of_vecops(page: Path) -> str:
    """What a page shows of `porter port fixtures/vecops`."""
    (block,) = re.findall(r"```text\n(vecops, for .*?)```", page.read_text(), re.DOTALL)
    return block


def find_shown(shown: str, said: str) -> str:
    """The first part of what a page shows that a command does not say, in this order; empty where
    it says all. `...` stands for anything, white space for any other."""
    text, position = " ".join(said.split()), 0
    for part in shown.split("..."):
        words = " ".join(part.split())
        found = text.find(words, position)
        if found < 0:
            return words
        position = found + len(words)
    return ""
