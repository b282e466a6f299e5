"""One framework's process: give it calls to make, and take what it answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from porter import targets
from porter.host import process
from porter.host.endings import signal_name
from porter.host.home import WORKERS
from porter.languages.data import read_json
from porter.model import Argument, Device, ParityCase, Placeholder, Step, StepResult, TensorSpec
from porter.parity.answers import Answer, load
from porter.parity.compare import More
from porter.parity.inputs import generate

WORKER = WORKERS / "parity_worker.py"
CASE_TIMEOUT = 300.0  # seconds for one case
START_TIMEOUT = 300.0  # seconds to import a framework
REPEATS = 3  # more calls of the source, where the target gives something else
POLL = 0.002  # seconds between looks for an answer of a process that stays
WATCHDOG = "Timeout ("  # first words of faulthandler when its time is up
# Memory that nobody has written is no zero by luck: glibc fills what it gives with 0xFE, which are
# large numbers below zero, of float16 NaN. Other C libraries do not read this.
FILLED = "glibc.malloc.perturb=1:glibc.malloc.tcache_count=0"

Jobs: TypeAlias = list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One framework's process: an interpreter that has the built package, and where it works.

    `prelude` is Python run before torch is imported, with PORTER_DEVICE set; `plugins` are files
    that run before that. It runs in `cwd`, or in `work`: never where the tree hides the package.
    """

    name: str  # source, target, again
    python: Path
    work: Path  # for its inputs and its answers
    prelude: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    on_line: Callable[[str], None] = lambda line: None
    timeout: float = CASE_TIMEOUT
    plugins: tuple[Path, ...] = ()
    cwd: Path | None = None
    memory: int = 0  # bytes that its cases may take together; 0: half of what there is now
    device: Device | None = None  # where it runs, if not on the device that cases are compared for
    given: Path | None = None  # the folder of its inputs, if that is elsewhere

    @classmethod
    def create(
        cls,
        framework: str,
        name: str,
        python: Path,
        work: Path,
        on_line: Callable[[str], None],
        plugins: Sequence[Path] = (),
        timeout: float = CASE_TIMEOUT,
    ) -> Side:
        """Under a framework."""
        known = targets.framework(framework)
        return cls(
            name=name,
            python=python,
            work=work,
            prelude=known.prelude,
            environment=known.activation,
            on_line=on_line,
            plugins=tuple(plugins),
            timeout=timeout,
        )

    @property
    def inputs(self) -> Path:
        return self.given or self.work / "inputs"

    @property
    def folder(self) -> Path:
        """What it answers."""
        return self.work / self.name

    @property
    def log(self) -> Path:
        return (self.cwd or self.work) / f"{self.name}.log"


@dataclass(slots=True)
class Answers:
    """What a side answered, by the number of the case."""

    by_case: dict[int, Answer] = field(default_factory=dict)
    unavailable: str = ""  # why the device cannot be used


# ---------------------------------------------------------------------- inputs


def write_inputs(cases: Sequence[ParityCase], folder: Path, first: int = 0) -> Jobs:
    """The cases as the worker reads them, numbered from `first`; their tensors as files."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for index, case in enumerate(cases, first):
        files = (folder / f"{index}_{n}.npy" for n in count())
        jobs.append(
            {
                "index": index,
                "call": case.call,
                "imports": list(case.imports),
                "args": [_encode(argument, files) for argument in case.args],
                "kwargs": {key: _encode(a, files) for key, a in case.kwargs.items()},
            }
        )
    return jobs


def _encode(argument: Argument, files: Iterator[Path]) -> dict[str, Any]:
    if isinstance(argument, TensorSpec):
        import numpy as np

        file = next(files)
        np.save(file, generate(argument))
        shape = {"dtype": argument.dtype, "layout": argument.layout, "grad": argument.grad}
        return {"kind": "tensor", "file": file.name, **shape}
    if isinstance(argument, Placeholder):
        return {"kind": argument.kind, "value": argument.value}
    if isinstance(argument, tuple):
        return {"kind": "list", "items": [_encode(each, files) for each in argument]}
    return {"kind": "value", "value": argument}


# -------------------------------------------------------------------- one side


def ask(side: Side, jobs: Jobs, device: Device) -> Answers:
    """Start the worker, again after each crash, without the cases that have an answer."""
    with Session(side, device) as session:
        return session.ask(jobs)


class Session:
    """A side whose process stays between batches of calls, and is started again where it ended.

    To be used in a `with`; the process may be there for so many `seconds`, or, without, as long
    as the cases may take that it was started with.
    """

    def __init__(self, side: Side, device: Device, seconds: float = 0) -> None:
        self.side = side
        self.device = device
        self.seconds = seconds
        self._threads = ThreadPoolExecutor(1)
        self._process: Future[StepResult] | None = None
        self._attempt = 0
        self._batches = 0  # that this process was given later

    def __enter__(self) -> Session:
        self.side.folder.mkdir(parents=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        if kind is not None:
            process.end_left([self.side.log.parent])
        elif self._process is not None:
            self._give([])
        self._threads.shutdown()

    def ask(self, jobs: Jobs) -> Answers:
        """What is answered; no number of a case may come twice."""
        found, folder = Answers(), self.side.folder
        while left := [job for job in jobs if job["index"] not in found.by_case]:
            if self._process is None:
                self._attempt += 1
                self._batches = 0
                for path in folder.glob("more.*.json"):
                    path.unlink()
                self._process = self._threads.submit(self._run, left)
            else:
                self._give(left)
            last = folder / f"{left[-1]['index']}.json"
            while not last.exists() and not self._process.done():
                time.sleep(POLL)
            if last.exists():
                self._take(found, left)
                continue
            ended, self._process = self._process.result(), None
            unavailable = folder / "unavailable.json"
            if unavailable.exists():
                found.unavailable = str(read_json(unavailable.read_text(encoding="utf-8")))
                break
            self._collect(found, left, ended)
        return found

    def _give(self, jobs: Jobs) -> None:
        path = self.side.folder / f"more.{self._batches}.json"
        written = path.with_suffix(".partial")
        written.write_text(json.dumps(jobs), encoding="utf-8")
        written.replace(path)
        self._batches += 1

    def _run(self, jobs: Jobs) -> StepResult:
        side = self.side
        path = side.folder / f"job.{self._attempt}.json"
        job = {
            "prelude": side.prelude,
            "device": str(side.device or self.device),
            "inputs": str(side.inputs),
            "out": str(side.folder),
            "timeout": side.timeout,
            "plugins": [str(plugin) for plugin in side.plugins],
            "memory": side.memory or _half_of_memory(),
            "cases": jobs,
        }
        path.write_text(json.dumps(job), encoding="utf-8")
        (side.folder / "started.txt").unlink(missing_ok=True)
        cwd = str(side.cwd or side.work)
        step = Step(
            name=f"parity {side.name}",
            argv=(str(side.python), "-P", str(WORKER), str(path)),
            cwd=cwd,
            environment={
                "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONNOUSERSITE": "1",
                "PYTHONPATH": "",
                "GLIBC_TUNABLES": FILLED,
                **side.environment,
            },
            timeout=self.seconds or START_TIMEOUT + side.timeout * len(jobs),
            writable=(cwd, str(side.folder)),
            readable=tuple(map(str, (side.inputs.parent, *side.plugins))),
        )
        again = f".{self._attempt}{side.log.suffix}"
        log = side.log.with_suffix(again) if self._attempt > 1 else side.log
        return process.run(step, log, side.on_line)

    def _take(self, found: Answers, jobs: Jobs) -> None:
        there = self.side.device
        for job in jobs:
            answer = load(self.side.folder, job["index"])
            if answer is not None:
                moved = answer.move_device(there, self.device) if there else answer
                found.by_case[job["index"]] = moved

    def _collect(self, found: Answers, jobs: Jobs, result: StepResult) -> None:
        """Take what was answered; blame an end before time on the case that was at work."""
        self._take(found, jobs)
        left = [job["index"] for job in jobs if job["index"] not in found.by_case]
        if not left:
            return
        path = self.side.folder / "started.txt"
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        began = [int(line) for line in text.splitlines() if line.isdigit()]
        slow = any(line.startswith(WATCHDOG) for line in text.splitlines())
        ending = _ending(result, self.side.timeout if slow else None)
        if began and began[-1] in left:
            found.by_case[began[-1]] = Answer(raised=ending, phase="crash")
        if began:
            return
        reason = f"the process {ending} before any case ran: {result.tail[-1500:]}"
        for index in left:
            found.by_case[index] = Answer(raised=reason, phase="import")


def _half_of_memory() -> int:
    """Bytes; where that is not told, more than there is."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return 1 << 60
    told = {line.partition(":")[0]: line.split()[1] for line in lines}
    return (int(told.get("MemAvailable", 1 << 50)) << 10) // 2


def _ending(result: StepResult, slow: float | None) -> str:
    if slow is not None:
        return f"exceeded the limit of {slow:g} s for one case"
    if result.timed_out:
        return "exceeded the limit for all cases"
    if result.returncode < 0:
        return f"crashed: {signal_name(-result.returncode)}"
    return f"ended with exit status {result.returncode}"


# ------------------------------------------------------------------ asked again


CALLS = REPEATS + 1  # in higher precision, and again


def repeat_job(job: dict[str, Any], case: ParityCase) -> Jobs:
    """The call of a job in higher precision, and the same call a few times."""
    first = job["index"] * CALLS
    wide = {"index": first, "call": case.reference or case.call, "wide": True}
    return [job | wide, *(job | {"index": first + n} for n in range(1, CALLS))]


def again_as(found: Mapping[int, Answer], number: int) -> More:
    """What was answered to the calls that `repeated` makes of the job of a number."""
    first = number * CALLS
    again = (found.get(first + n) for n in range(1, CALLS))
    repeats = [answer for answer in again if answer and not answer.raised]
    return More(reference=found.get(first), repeats=repeats)
