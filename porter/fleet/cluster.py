"""Tasks on a cluster of Ray, which runs those of lost workers and nodes again."""

from __future__ import annotations

import contextlib
import logging
import signal
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from porter.errors import EnvironmentFailed
from porter.fleet.local import lacks
from porter.fleet.plan import GIGABYTE, Task
from porter.fleet.task import Result, check, failure, work
from porter.run.record import converter

LOOK = 2.0  # seconds between looks at the nodes
GRACE = 60.0  # seconds that a task waits for a node which could run it
AHEAD = 4  # tasks that Ray is given for each processor, so that the first are run first


@contextlib.contextmanager
def connect(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster. Raises EnvironmentFailed where that cannot be."""
    try:
        import ray
    except ImportError as error:
        raise EnvironmentFailed(
            "--address needs Ray, which is not installed", hint="pip install 'porter-ops[ray]'"
        ) from error
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise EnvironmentFailed(
            f"no cluster at {address}: {error}",
            hint="`ray status` shows it; Ray and Python are to be the same version on all nodes",
        ) from error
    signal.signal(signal.SIGTERM, before)  # Ray's own would end porter without a word
    try:
        yield ray
    finally:
        ray.shutdown()


def execute(ray: Any, tasks: Sequence[Task], retries: int) -> Generator[Result]:
    """Run tasks about in their order, and give each result as it comes."""
    waiting = deque(tasks)
    pending: dict[Any, Task] = {}
    unfit: dict[Any, float] = {}  # since when no node could run it
    while waiting or pending:
        nodes = _nodes(ray)
        ahead = AHEAD * sum(node.get("CPU", 0.0) for node in nodes)
        while waiting and len(pending) < max(AHEAD, ahead):
            task = waiting.popleft()
            pending[_submit(ray, task, retries)] = task
        for reference in ray.wait([*pending], timeout=LOOK)[0]:
            yield _take(ray, reference, pending.pop(reference))
        fits = {r for r, task in pending.items() if not all(lacks(task.needs, n) for n in nodes)}
        now = time.monotonic()
        unfit = {r: unfit.get(r, now) for r in pending if r not in fits}
        for reference in [r for r, since in unfit.items() if now - since > GRACE]:
            ray.cancel(reference, force=True)
            needs = ", ".join(f"{n} {number:g}" for n, number in pending[reference].needs.items())
            yield failure(pending.pop(reference), f"no node of the cluster has {needs}")


def _nodes(ray: Any) -> list[dict[str, float]]:
    """What each living node has in all; memory in GB."""
    found = [dict(node["Resources"]) for node in ray.nodes() if node["Alive"]]
    return [{**node, "memory": node.get("memory", 0.0) / GIGABYTE} for node in found]


def _submit(ray: Any, task: Task, retries: int) -> Any:
    needs = {**task.needs}
    cpus, gpus = needs.pop("CPU", 1.0), needs.pop("GPU", 0.0)
    memory = int(needs.pop("memory", 0.0) * GIGABYTE) or None
    chosen = ray.remote(work).options(
        name=f"{task.repository} {task.target} {task.device}",
        num_cpus=cpus,
        num_gpus=gpus,
        memory=memory,
        resources=needs,
        max_retries=retries,
        runtime_env={**task.environment} or None,
        scheduling_strategy="SPREAD",
    )
    return chosen.remote(converter().dumps(task), retries)


def _take(ray: Any, reference: Any, task: Task) -> Result:
    try:
        return check(task, ray.get(reference))
    except ray.exceptions.RayError as error:  # lost for good, or of the code on the node
        return failure(task, f"{type(error).__name__}: {error}")
