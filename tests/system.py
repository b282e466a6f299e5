"""List the system packages that tests need, and skip or fail a test that lacks one.

`python -m tests.system` names the missing packages; with `--install` it installs them by apt-get.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("system_packages.txt")


def packages() -> dict[str, str]:
    """Return the command that each listed Debian package provides."""
    lines = (line.partition("#")[0].split() for line in LIST.read_text().splitlines())
    return dict(filter(None, lines))


def missing() -> list[str]:
    """Return the listed packages whose command is not on PATH."""
    return [package for package, command in packages().items() if not shutil.which(command)]


def need(command: str) -> str:
    """Return the path of a command; without it skip the test, or fail it in CI if it is listed."""
    import pytest  # not at the top: `.ci/run` installs packages before there is a pytest

    path = shutil.which(command)
    if path is None and os.environ.get("CI") and command in packages().values():
        pytest.fail(f"{command} is missing: `python -m tests.system --install`")
    if path is None:
        pytest.skip(f"{command} is missing")
    return path


def main(arguments: list[str]) -> int:
    lacking = missing()
    if lacking and "--install" in arguments:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(["apt-get", "install", "-y", "-qq", *lacking], check=True)
        lacking = missing()
    if lacking:
        print(f"missing: apt-get install {' '.join(lacking)} (tests that need them are skipped)")
    return 1 if lacking and "--install" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
