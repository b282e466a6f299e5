"""What `porter analyze` costs on a tree, beside its peers in the same run:
`python -m tests.benchmarks.analyze TREE ...`, or with `--copies TREE` what copies of it cost. CPU
seconds of a process and all that it started, so that other work on the machine does not count."""

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


def print_row(name: str, command: list[str], home: Path, floor: float) -> float:
    """Print what a command costs, and its ratio to the floor; give the seconds."""
    seconds, most = spend(command, home)
    ratio = seconds / (floor or seconds)
    sys.stdout.write(f"{name:26} {seconds:7.2f} s {ratio:6.2f} {most >> 10:5} MiB\n")
    return seconds


def compare(tree: Path) -> None:
    porter = [sys.executable, "-m", "porter", "analyze", "--json", "-q", str(tree)]
    commands = {
        "porter, cold": porter,
        "porter, again": porter,
        "porter, one process, cold": [*porter, "--jobs", "1"],
    }
    peers = {
        "ruff": ["check", "-q", "--no-cache", "--exit-zero", str(tree)],
        "ast-grep": ["run", "--lang", "python", "--pattern", "torch.$NAME($$$VALUES)", str(tree)],
    }
    commands |= {n: [found, *words] for n, words in peers.items() if (found := shutil.which(n))}
    with tempfile.TemporaryDirectory() as folder:
        parsing = [sys.executable, "-m", __spec__.name, "--parse", str(tree)]
        floor = print_row("ast.parse", parsing, Path(folder), 0)
        for name, command in commands.items():
            home = Path(folder, "alone" if "one process" in name else "home")
            print_row(name, command, home, floor)


def multiply(tree: Path) -> None:
    """What one, two, four and eight copies of a tree cost, by the cost of one."""
    one = 0.0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        for copies in (1, 2, 4, 8):
            for number in range(len([*source.glob("*")]), copies):
                without = shutil.ignore_patterns(".git")
                shutil.copytree(tree, source / f"copy{number}", symlinks=True, ignore=without)
            command = [sys.executable, "-m", "porter", "analyze", "--json", "-q", "--jobs", "1"]
            home = Path(folder, f"home{copies}")
            cost = print_row(f"{copies} copies", [*command, str(source)], home, one)
            one = one or cost


if __name__ == "__main__":
    os.chdir(ROOT)
    if sys.argv[1] == "--parse":
        parse(Path(sys.argv[2]))
    elif sys.argv[1] == "--copies":
        multiply(Path(sys.argv[2]).resolve())
    else:
        for argument in sys.argv[1:]:
            sys.stdout.write(f"{argument}\n")
            compare(Path(argument).resolve())
