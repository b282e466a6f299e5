"""What tests of whole ports share: the command as a user types it, and what its patch says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any


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
