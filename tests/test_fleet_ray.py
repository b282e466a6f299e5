"""A fleet on a cluster of three nodes of Ray on this machine: workers, a node and the driver are
killed meanwhile, and the results are those of the machine alone."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest

from porter.fleet.drive import Folder
from porter.fleet.task import Result
from tests.conftest import ROOT, make_home
from tests.test_fleet import at_work, wait_for

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        find_spec("ray") is None, reason="Ray is not installed: pip install 'porter-ops[ray]'"
    ),
]

NAMES = (
    *("row_ops", "vecops", "triton_rows", "triton_norms", "core_ops", "cmake_pairs"),
    *("tvm_ffi_add", "no_torch"),
)
PLAN = 'command = "migrate"\narguments = ["--no-compiler"]\n' + "".join(
    f'[[repository]]\nsource = "./{name}"\n' for name in NAMES
)
RAY = Path(sys.executable).with_name("ray")


@dataclass
class Nodes:
    """Nodes of one cluster on this machine, each with a home of its own."""

    folder: Path
    address: str
    cpus: int = 1
    running: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    def home(self, number: int) -> Path:
        return self.folder / f"home{number}"

    def start(self, number: int) -> None:
        """Start a node and wait until it has joined; the first one is the head."""
        if not self.home(number).exists():
            make_home(self.home(number))
        head = ("--head", f"--port={self.address.rpartition(':')[2]}", "--include-dashboard=false")
        joins = (f"--address={self.address}",)
        argv = (
            *(str(RAY), "start", *(joins if number else (*head, f"--temp-dir={self.folder}/ray"))),
            *(
                f"--num-cpus={self.cpus}",
                "--object-store-memory=100000000",
                "--disable-usage-stats",
            ),
            "--block",
        )
        said = self.folder / f"node{number}.log"
        variables = {
            "PORTER_HOME": str(self.home(number)),
            "PYTHONPATH": str(ROOT),
            "RAY_raylet_start_wait_time_s": "180",
        }
        with said.open("wb") as log:
            self.running[number] = subprocess.Popen(
                argv,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **variables},
                start_new_session=True,
            )
        wait_for(lambda: b"Ray runtime started" in said.read_bytes(), 240)

    def kill(self, number: int) -> None:
        """Kill a node with all its processes, as if its machine were gone."""
        process = self.running.pop(number)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def find_free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    """Three nodes; in a folder with a short name, as sockets have to lie in it."""
    folder = Path(tempfile.mkdtemp(prefix="fleet"))
    cluster = Nodes(folder, f"127.0.0.1:{find_free_port()}")
    try:
        for number in range(3):
            cluster.start(number)
        yield cluster
    finally:
        for number in (*cluster.running,):
            cluster.kill(number)
        wait_for(lambda: not at_work(folder))
        shutil.rmtree(folder, ignore_errors=True)


def start(plan: Path, out: Path, *arguments: str) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-m", "porter", "fleet", str(plan), "-o", str(out), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(argv, env=environment, start_new_session=True)


def finished(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "results").glob("*.json")}


def results(out: Path) -> dict[str, Result]:
    return {result.key: result for result in Folder(out).load()}


def workers(home: Path) -> list[int]:
    """The workers of Ray that wait for a porter which works below a home."""
    found = set()
    for pid in at_work(home):
        for _ in range(4):  # up from porter, over its supervisor
            status = Path(f"/proc/{pid}/stat")
            with contextlib.suppress(OSError, ValueError):
                pid = int(status.read_text().rpartition(")")[2].split()[1])
                if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::"):
                    found.add(pid)
    return sorted(found)


def kill_one_at_work(nodes: Nodes, numbers: tuple[int, ...]) -> None:
    """Kill a node that works on a task: all that works there ends with it."""
    wait_for(lambda: any(workers(nodes.home(number)) for number in numbers))
    busy = next(number for number in numbers if workers(nodes.home(number)))
    nodes.kill(busy)
    wait_for(lambda: not at_work(nodes.home(busy)))


def test_nothing_is_lost_and_nothing_differs_when_processes_are_killed(
    nodes: Nodes, tmp_path: Path
) -> None:
    for name in NAMES:
        shutil.copytree(ROOT / "fixtures" / name, tmp_path / name)
    plan = tmp_path / "repos.toml"
    plan.write_text(PLAN)
    one, three = tmp_path / "one", tmp_path / "three"
    assert start(plan, one).wait() == 0
    alone = results(one)
    assert len(alone) == len(NAMES)

    first = start(plan, three, "--address", nodes.address)
    wait_for(lambda: len(finished(three)) >= 2)
    kill_one_at_work(nodes, (1, 2))
    wait_for(lambda: len(finished(three)) >= 3)
    first.kill()
    first.wait()
    kept = finished(three)
    assert len(kept) < len(NAMES)
    wait_for(lambda: not at_work(nodes.folder))

    nodes.start(next(number for number in (1, 2) if number not in nodes.running))
    second = start(plan, three, "--address", nodes.address)
    wait_for(lambda: workers(nodes.folder))
    os.kill(workers(nodes.folder)[0], signal.SIGKILL)
    kill_one_at_work(nodes, (1, 2))
    assert second.wait() == 0
    assert kept.items() <= finished(three).items(), "nothing that was done is done again"
    assert results(three) == alone, "nothing lost, nothing with another result"
    third = start(plan, three, "--address", nodes.address)
    assert third.wait() == 0
    assert results(three) == alone
    assert not json.loads((three / "fleet.json").read_text())["running"]
