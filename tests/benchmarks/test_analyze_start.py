"""What a known tree costs `porter analyze`: what it loads to say again what it has found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

MODULES = 100  # of porter; measured: 81
NEVER = ("libcst", "numpy", "porter.rules", "porter.unit", "porter.uses", "porter.build")
SHOW = """
import sys
from porter.cli import main
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def analyze(home: Path) -> set[str]:
    """The modules that a command has loaded at its end."""
    command = [sys.executable, "-c", SHOW, "analyze", "--json", str(ROOT / "fixtures" / "vecops")]
    environment = {**os.environ, "PORTER_HOME": str(home)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_a_known_tree_needs_no_rules(tmp_path: Path) -> None:
    first, again = analyze(tmp_path), analyze(tmp_path)
    assert "porter.rules.loader" in first
    assert len([name for name in again if name.partition(".")[0] == "porter"]) < MODULES
    assert [name for name in again if name.startswith(NEVER)] == []
