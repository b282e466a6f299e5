"""Tasks on this machine: as many at once as its processors and memory allow."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait

from porter.fleet.plan import GIGABYTE, UNITS, Task
from porter.fleet.task import Result, failure, run
from porter.host import devices, threads

MOST = 256  # tasks at once


def capacity() -> dict[str, float]:
    """What this machine has, by Ray's names; one device of each kind, as nothing divides them."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / GIGABYTE
    units = {UNITS[device]: 1.0 for device in devices.present() if device in UNITS}
    return {"CPU": float(len(os.sched_getaffinity(0))), "memory": memory, **units}


def lacks(needs: Mapping[str, float], has: Mapping[str, float]) -> str:
    """What is needed and not there; empty where all is."""
    return ", ".join(f"{n} {number:g}" for n, number in needs.items() if has.get(n, 0.0) < number)


def execute(tasks: Sequence[Task], retries: int) -> Generator[Result]:
    """Run tasks in their order, and give each result as it comes."""
    every = free = capacity()
    waiting: list[Task] = []
    for task in tasks:
        lacking = lacks(task.needs, free)
        if lacking or {*task.environment} - {"env_vars"}:
            reason = f"does not have {lacking}" if lacking else "knows no environment but env_vars"
            yield failure(task, f"this machine {reason}")
        else:
            waiting.append(task)
    running: dict[Future[Result], Task] = {}
    with threads.pool(MOST) as pool:
        while waiting or running:
            for task in waiting[:]:
                if lacks(task.needs, free):
                    continue
                free = {name: free[name] - task.needs.get(name, 0.0) for name in free}
                running[pool.submit(run, task, retries)] = task
                waiting.remove(task)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                free = {name: free[name] + task.needs.get(name, 0.0) for name in free}
                free = free if running else every  # sums of fractions are not exact
                error = future.exception()
                yield (
                    failure(task, f"{type(error).__name__}: {error}") if error else future.result()
                )
