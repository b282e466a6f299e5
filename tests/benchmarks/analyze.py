"""What `porter analyze` costs on a tree, beside its peers in the same run:
`python -m tests.benchmarks.analyze TREE ...`. CPU seconds of a process and all that it started, so
that other work on the machine does not count."""

from __future__ import annotations

import ast
import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path

from tests.conftest import ROOT


def spend(command: list[str], home: Path) -> tuple[float, int]:
    """CPU seconds of a command, and the most kilobytes that it or a process of it held."""
    with tempfile.TemporaryFile() as kept:
        pid = os.posix_spawnp(
            command[0],
            command,
            {**os.environ, "PORTER_HOME": str(home)},
            file_actions=[(os.POSIX_SPAWN_DUP2, kept.fileno(), 1)],
        )
        _, _, used = os.wait4(pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def parse(tree: Path) -> None:
    """The floor of all that read Python with its own parser."""
    warnings.simplefilter("ignore")
    for path in sorted(tree.rglob("*.py")):
        try:
            ast.walk(ast.parse(path.read_bytes()))
        except (SyntaxError, ValueError):
            continue


def compare(tree: Path) -> None:
    porter = [sys.executable, "-m", "porter", "analyze", "--json", "-q", str(tree)]
    commands = {
        "ast.parse": [sys.executable, "-m", __spec__.name, "--parse", str(tree)],
        "porter, cold": porter,
        "porter, again": porter,
        "porter, one process, cold": [*porter, "--jobs", "1"],
    }
    if ruff := shutil.which("ruff"):
        commands["ruff"] = [ruff, "check", "-q", "--no-cache", "--exit-zero", str(tree)]
    floor = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, command in commands.items():
            home = Path(folder, "alone" if "one process" in name else "home")
            seconds, most = spend(command, home)
            floor = floor or seconds
            row = f"{name:26} {seconds:7.2f} s {seconds / floor:6.2f} {most >> 10:5} MiB"
            sys.stdout.write(f"{row}\n")


if __name__ == "__main__":
    os.chdir(ROOT)
    if sys.argv[1] == "--parse":
        parse(Path(sys.argv[2]))
    else:
        for argument in sys.argv[1:]:
            sys.stdout.write(f"{argument}\n")
            compare(Path(argument).resolve())
