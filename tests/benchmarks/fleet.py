"""What a fleet adds to the ports themselves: the same commands by a loop, by `porter fleet`, and
by `porter fleet` on a node of Ray, in turn, each from empty caches. On a machine that does other
work, CPU seconds of all processes say more than seconds by the clock; to count them needs root.

Usage: python -m tests.benchmarks.fleet [--repeat 3] [--command "migrate"] [FIXTURE ...]
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
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from porter.fleet.drive import Folder
from tests.conftest import CACHE, ROOT
from tests.test_fleet_ray import Nodes, find_free_port

AT_ONCE = 2
GROUPS = Path("/sys/fs/cgroup/cpuacct")  # of Linux's control groups, version 1
WAYS = ("loop", "fleet", "Ray")
Measured = dict[str, list[tuple[float, float]]]
NAMES = (
    *("row_ops", "vecops", "triton_rows", "triton_norms", "core_ops", "cmake_pairs"),
    *("tvm_ffi_add", "tilelang_relu"),
)
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


def enter(name: str) -> Path:
    """Put this process, and what it starts from now on, into a control group that counts CPU."""
    folder = GROUPS / f"{name}-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    (folder / "cgroup.procs").write_text(str(os.getpid()))
    return folder


def spent(groups: Iterable[Path]) -> float:
    """CPU seconds of all processes that were ever in these groups."""
    return sum(int((group / "cpuacct.usage").read_text()) for group in groups) / 1e9


def measure(top: Path, names: Sequence[str], command: list[str], repeat: int) -> Measured:
    """Seconds by the clock and of CPU of each way, once for each repetition."""
    folders = [top / each for each in names]
    for folder in folders:
        shutil.copytree(ROOT / "fixtures" / folder.name, folder)
    plan = top / "repos.toml"
    entries = "".join(f'[[repository]]\nsource = "{folder}"\n' for folder in folders)
    plan.write_text(f'command = "{command[0]}"\narguments = {command[1:]}\n{entries}')
    nodes = Nodes(top, f"127.0.0.1:{find_free_port()}", cpus=AT_ONCE)
    found: Measured = {kind: [] for kind in WAYS}
    try:
        clear(nodes.home(0))
        groups = [enter("node")]
        nodes.start(0)
        groups.append(enter("commands"))
        for kind in WAYS * repeat:
            home = clear(nodes.home(0) if kind == "Ray" else top / "home")
            counted = groups if kind == "Ray" else groups[1:]
            began, before = time.monotonic(), spent(counted)
            if kind == "loop":
                run_loop(home, folders, command)
            else:
                more = ["--address", nodes.address] if kind == "Ray" else []
                porter(home, "fleet", str(plan), "-o", str(home / "out"), *more)
            clock, cpu = time.monotonic() - began, spent(counted) - before
            found[kind].append((clock, cpu))
            say(f"{kind:6} {clock:.1f} s, CPU {cpu:.1f} s")
            if kind != "loop":
                assert not any(each.error for each in Folder(home / "out").load())
    finally:
        for number in (*nodes.running,):
            nodes.kill(number)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--command", default="migrate --no-compiler")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fleet") as name:
        found = measure(Path(name), chosen.names, chosen.command.split(), chosen.repeat)
    for kind in WAYS[1:]:
        for index, what in enumerate(("clock", "CPU")):
            pairs = zip(found["loop"], found[kind], strict=True)
            ratios = [other[index] / loop[index] for loop, other in pairs]
            each = " ".join(f"{ratio:.3f}" for ratio in ratios)
            say(f"{kind} / loop, {what}: median {statistics.median(ratios):.3f} of {each}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
