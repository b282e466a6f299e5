"""What a fleet adds to the ports themselves: the same commands by a loop, by `porter fleet`, and
by `porter fleet` on a node of Ray, in turn, each from empty caches.

Usage: python -m tests.benchmarks.fleet [--repeat 3] [--command "port"] [FIXTURE ...]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from porter.fleet.drive import Folder
from tests.conftest import CACHE, ROOT
from tests.test_fleet_ray import Nodes, find_free_port

AT_ONCE = 2
NAMES = ("row_ops", "vecops", "triton_rows", "triton_norms", "core_ops", "cmake_pairs")
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def clear(home: Path) -> Path:
    """A home that has environments and surfaces, and nothing else."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    for shared in ("envs", "compiled"):
        (CACHE / shared).mkdir(parents=True, exist_ok=True)
        (home / shared).symlink_to(CACHE / shared)
    return home


def porter(home: Path, *words: str, runs: Path | None = None) -> None:
    own = {"PORTER_RUNS": str(runs)} if runs else {}
    argv = [sys.executable, "-m", "porter", *words]
    environment = {**os.environ, **ENVIRONMENT, "PORTER_HOME": str(home), **own}
    with (home / "said").open("ab") as said:
        done = subprocess.run(argv, env=environment, stdout=said, stderr=said)
    assert done.returncode in (0, 1), (home / "said").read_text()


def run_loop(home: Path, folders: list[Path], command: list[str]) -> None:
    def one(folder: Path) -> None:
        words = (command[0], str(folder), *command[1:], "--jobs", "1")
        porter(home, *words, runs=home / "loop" / folder.name)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(one, folders))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--command", default="port --device cpu")
    chosen = parser.parse_args()
    command = chosen.command.split()
    times: dict[str, list[float]] = {"loop": [], "fleet": [], "Ray": []}
    with tempfile.TemporaryDirectory(prefix="fleet") as name:
        top = Path(name)
        for each in chosen.names:
            shutil.copytree(ROOT / "fixtures" / each, top / each)
        folders = [top / each for each in chosen.names]
        arguments = [word for word in command[1:] if word not in ("--device", "cpu")]
        plan = top / "repos.toml"
        plan.write_text(
            f'command = "{command[0]}"\narguments = {arguments}\n'
            + "".join(f'[[repository]]\nsource = "{folder}"\n' for folder in folders)
        )
        nodes = Nodes(top, f"127.0.0.1:{find_free_port()}", cpus=AT_ONCE)
        try:
            clear(nodes.home(0))
            nodes.start(0)
            for _ in range(chosen.repeat):
                for kind, seconds in times.items():
                    home = clear(nodes.home(0) if kind == "Ray" else top / "home")
                    began = time.monotonic()
                    if kind == "loop":
                        run_loop(home, folders, command)
                    else:
                        more = ["--address", nodes.address] if kind == "Ray" else []
                        porter(home, "fleet", str(plan), "-o", str(home / "out"), *more)
                    seconds.append(time.monotonic() - began)
                    if kind != "loop":
                        assert not any(each.error for each in Folder(home / "out").load())
                    say(f"{kind:6} {seconds[-1]:.1f} s")
        finally:
            for number in (*nodes.running,):
                nodes.kill(number)
    for kind in ("fleet", "Ray"):
        ratios = [b / a for a, b in zip(times["loop"], times[kind], strict=True)]
        say(f"{kind} / loop: {statistics.median(ratios):.3f} {[round(r, 3) for r in ratios]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
