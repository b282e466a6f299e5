"""One task where it is run: a command of porter in a process of its own, its record as a result."""

from __future__ import annotations

import hashlib
import math
import platform
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.fleet.plan import COMMANDS, Task, digest_of_porter
from porter.host import kept, locks, process
from porter.host.home import FLEET, RUNS, WORKERS, porter_home
from porter.languages.data import read_table
from porter.model import UNSET, Outcome, Status, Step, StepResult, Tree, Verdict
from porter.run.record import RunRecord, converter
from porter.run.store import Run

KIND = "fleet"
LONGEST = 1 << 16  # characters of a result; what is longer is none
SAID = 300  # characters of an error
_SUPERVISOR = str(WORKERS / "supervisor.py")
STAGES = ("analyze", "migrate", "build", "verify", "report")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a task: the same for the same key, but for what is not compared."""

    key: str
    repository: str
    target: str
    device: str
    error: str = ""  # why there is no result
    code: int = 0  # the exit code of the command
    verdict: str = ""  # empty where it was not asked for
    stages: Mapping[str, Status] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    patch: str = ""  # its digest
    node: str = field(default="", compare=False)
    run: str = field(default="", compare=False)  # its folder there
    seconds: float = field(default=0.0, compare=False)
    finished: float = field(default=0.0, compare=False)  # since the epoch

    @property
    def row(self) -> tuple[str, str, str]:
        return self.repository, self.target, self.device

    @property
    def is_clean(self) -> bool:
        """Whether nothing remains to be done."""
        return not self.error and self.code == 0


def failure(task: Task, error: str) -> Result:
    """The result of a task that gave none."""
    said = " ".join(error.split())[:SAID] or "no reason was given"
    repository, target, device = task.row
    return Result(key=task.key, repository=repository, target=target, device=device, error=said)


def check(task: Task, text: object) -> Result:
    """The result that a worker sent as JSON; a failure where it is not one of this task."""
    try:
        if not isinstance(text, str) or len(text) > LONGEST:
            raise ValueError("too long")
        found = converter().structure(read_table(text), Result)
        numbers = (found.seconds, found.finished, *found.counts.values())
        known = found.verdict in ("", *Verdict.__members__) and {*found.stages} <= {*STAGES}
        if not known or not all(map(math.isfinite, numbers)):
            raise ValueError("unknown words")
        if (found.key, found.row) != (task.key, task.row):
            raise ValueError("of another task")
    except Exception as error:  # whatever it sent
        return failure(task, f"the worker gave no valid result: {error}")
    return found


def work(text: str, retries: int) -> str:
    """Run a task, from JSON to JSON: what a worker of a cluster does."""
    return converter().dumps(run(converter().loads(text, Task), retries))


def run(task: Task, retries: int) -> Result:
    """Run a task, or give the result that this machine has of it. A command that was ended by a
    signal is run again, at most `retries` times, from the stage that it was at.

    Raises EnvironmentFailed where porter cannot be run.
    """
    if task.porter != digest_of_porter():
        return failure(task, f"{platform.node()} has another porter: install the same on each node")
    folder = porter_home() / FLEET / task.key
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        with locks.alone(folder) as held:
            if not held:  # deleted meanwhile
                continue
            known = kept.load(KIND, [task.key]).get(task.key)
            if isinstance(known, Result):
                return known
            process.end_left((folder,))  # of a worker that was killed
            result = _run(task, folder, retries)
            if not result.error:
                kept.save(KIND, {task.key: result})
            return result


def _run(task: Task, folder: Path, retries: int) -> Result:
    began = time.monotonic()
    for _ in range(retries + 1):
        done = process.run(_step(task, folder), folder / "porter.log")
        if done.returncode in range(128) or done.timed_out:  # else ended by a signal
            break
    found = sorted((folder / "runs").glob("*/record.json"))
    if done.timed_out or done.returncode not in (0, 1) or not found:
        return failure(task, _reason(task, done))
    try:
        record = Run(found[-1].parent).load()
    except EnvironmentFailed as error:
        return failure(task, str(error))
    if _content(task, record) != task.content:
        return failure(task, "the source changed while the fleet ran: run it again")
    aimed = f"{record.target}=={record.target_version}"
    if record.target is not None and aimed != task.target:
        return failure(task, f"the arguments name another target: {aimed}")
    return _result(task, record, found[-1].parent, done.returncode, time.monotonic() - began)


def _step(task: Task, folder: Path) -> Step:
    """The command, which ends with this worker, and all that it starts with it."""
    device = ("--device", task.device) if COMMANDS[task.command] else ()
    jobs = ("--jobs", str(max(1, int(task.cpus))))
    words = (task.source, "--target", task.target, *device, *jobs, *task.arguments)
    supervised = (sys.executable, "-I", "-S", _SUPERVISOR)
    # Ray sets threads by what a task asks for: results are not to depend on that.
    variables = {"OMP_NUM_THREADS": UNSET, **task.environment.get("env_vars", {})}
    return Step(
        name=f"porter {task.command}",
        argv=(*supervised, sys.executable, "-m", "porter", task.command, *words),
        cwd=str(folder),
        environment={**variables, RUNS: str(folder / "runs")},
        timeout=task.timeout,
        foreign=False,
    )


def _reason(task: Task, done: StepResult) -> str:
    if done.timed_out:
        return f"it took more than {task.timeout:g} s"
    if done.returncode < 0 or done.returncode > 128:
        return f"ended by signal {abs(done.returncode) % 128}"
    lines = done.tail.splitlines()
    said = [number for number, line in enumerate(lines) if line.startswith("porter: ")]
    told = lines[said[-1] :][:2] if said else lines[-3:]  # an error and its remedy
    return " ".join(told) or f"exit code {done.returncode}"


def _content(task: Task, record: RunRecord) -> str | None:
    """What was ported, as the plan names it; a source with nothing of torch is not even copied."""
    source = record.source
    found = {"path": source.digest or task.content, "git": source.commit}
    return found.get(task.kind, task.content)


def _result(task: Task, record: RunRecord, folder: Path, code: int, seconds: float) -> Result:
    overall = record.verification.overall
    comparison = record.verification.comparison
    target = f"{record.target}"
    passed = Counter(
        outcome
        for suite in record.suites
        if suite.cell.tree is Tree.PATCHED and suite.cell.environment == target
        for outcome in suite.outcomes.values()
    )
    patch = folder / "patch" / "port.patch"
    return Result(
        key=task.key,
        repository=task.repository,
        target=task.target,
        device=task.device,
        code=code,
        verdict=overall.verdict.name if overall else "",
        stages={stage.name: stage.status for stage in record.stages},
        counts={
            "findings": len(record.analysis.findings),
            "residue": len(record.residue),
            "tests passed": passed[Outcome.PASSED],
            "tests lost": len(comparison.lost) if comparison else 0,
            "cases agree": sum(r.status is Status.OK for r in record.verification.parity),
            "cases differ": sum(r.status is Status.FAILED for r in record.verification.parity),
        },
        patch=hashlib.sha256(patch.read_bytes()).hexdigest() if patch.is_file() else "",
        node=platform.node(),
        run=str(folder),
        seconds=seconds,
        finished=time.time(),
    )
