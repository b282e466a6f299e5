"""Run parity cases under both frameworks, one process each, and judge the answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porter import process
from porter.model import (
    Argument,
    Device,
    Evidence,
    ParityCase,
    ParityResult,
    Placeholder,
    Status,
    Step,
    StepResult,
    TensorSpec,
)
from porter.parity import compare
from porter.parity.answers import Answer, load
from porter.parity.compare import Judgement, More
from porter.parity.inputs import generate

WORKER = Path(__file__).parent.parent / "workers" / "parity_worker.py"
CASE_TIMEOUT = 300.0  # seconds for one case
START_TIMEOUT = 300.0  # seconds to import a framework
REPEATS = 3  # more calls of the source, where the target gives something else
WATCHDOG = "Timeout ("  # first words of faulthandler when its time is up


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One framework's process."""

    name: str  # source, target
    python: Path
    prelude: str
    folder: Path
    environment: Mapping[str, str]
    cwd: Path
    log: Path
    on_line: Callable[[str], None]
    timeout: float
    plugins: tuple[Path, ...]


@dataclass(slots=True)
class _Answers:
    """What a side answered, by the number of the case."""

    by_case: dict[int, Answer] = field(default_factory=dict)
    unavailable: str = ""  # why the device cannot be used


def run_parity(
    cases: Sequence[ParityCase],
    device: Device,
    evidence: Evidence,
    source_python: Path | None,
    target_python: Path | None,
    target_prelude: str,
    workdir: Path,
    cwd: Path | None = None,
    log: Path | None = None,
    on_line: Callable[[str], None] = lambda line: None,
    *,
    source_env: Mapping[str, str] | None = None,
    target_env: Mapping[str, str] | None = None,
    case_timeout: float = CASE_TIMEOUT,
    plugins: Sequence[Path] = (),
    excuse: bool = True,
) -> tuple[ParityResult, ...]:
    """Judge each case that names this device, in order.

    The interpreters have the built package; None means that this side was not built, and skips
    the cases. `target_prelude` is Python run before torch is imported, with PORTER_DEVICE set;
    `plugins` are files that each side runs before that. A case whose kernels ran on a stand-in
    for their device has the evidence EMULATED, any other the given one. Where numbers differ, the
    source is asked again, in higher precision and a few times: what it is off by itself excuses the
    target (`porter.parity.measure`), unless `excuse` is false.
    Inputs and answers are left in `workdir`, which is emptied first; logs beside `log`, or there.
    The processes run in `cwd`, or in `workdir`: never where the tree hides the built package.
    """
    mine = [case for case in cases if device in case.devices]
    sides = (("source", source_python), ("target", target_python))
    absent = [name for name, python in sides if python is None]
    if not mine or source_python is None or target_python is None:
        reason = f"not built on the {' and the '.join(absent)}"
        return tuple(_skipped(case, device, evidence, reason) for case in mine)
    shutil.rmtree(workdir, ignore_errors=True)
    jobs = _write_inputs(mine, workdir / "inputs")
    log = log or workdir / "parity.log"

    def side(name: str, folder: str) -> _Side:
        source = name == "source"
        return _Side(
            name=name,
            python=source_python if source else target_python,
            prelude="" if source else target_prelude,
            folder=workdir / folder,
            environment=(source_env if source else target_env) or {},
            cwd=cwd or workdir,
            log=log.with_suffix(f".{folder}{log.suffix}"),
            on_line=on_line,
            timeout=case_timeout,
            plugins=tuple(plugins),
        )

    answers = []
    for name in ("source", "target"):
        found = _answers(side(name, name), jobs, device)
        if found.unavailable:
            reason = f"{name}: {found.unavailable}"
            return tuple(_skipped(case, device, evidence, reason) for case in mine)
        answers.append(found.by_case)
    source, target = answers
    judgements = {n: compare.compare(case, source[n], target[n]) for n, case in enumerate(mine)}
    doubtful = [
        n
        for n, judgement in judgements.items()
        if (excuse and judgement.phase in compare.NUMBERS)
        or (mine[n].reference and not judgement.phase)
    ]
    more = _ask_again(side("source", "again"), [(jobs[n], mine[n]) for n in doubtful], device)
    for n in doubtful:
        judgements[n] = compare.compare(mine[n], source[n], target[n], more[n])
    for n in _never_ran(mine, judgements):
        judgements[n] = replace(judgements[n], phase="call", refused=False)
    return tuple(
        _result(case, device, evidence, judgements[n], source[n].emulated or target[n].emulated)
        for n, case in enumerate(mine)
    )


def _skipped(case: ParityCase, device: Device, evidence: Evidence, reason: str) -> ParityResult:
    return ParityResult(
        case=case.name, device=device, evidence=evidence, status=Status.SKIPPED, message=reason
    )


def _never_ran(cases: Sequence[ParityCase], judgements: Mapping[int, Judgement]) -> list[int]:
    """The points of grids of which every point was refused: such a case compares nothing."""
    ran = {case.group for n, case in enumerate(cases) if not judgements[n].refused}
    return [n for n, case in enumerate(cases) if case.expect == "either" and case.group not in ran]


def _result(
    case: ParityCase, device: Device, evidence: Evidence, judgement: Judgement, emulated: bool
) -> ParityResult:
    return ParityResult(
        case=case.name,
        device=device,
        evidence=Evidence.EMULATED if emulated else evidence,
        status=Status.FAILED if judgement.phase else Status.OK,
        phase=judgement.phase,
        message=judgement.message,
        max_abs=judgement.max_abs,
        max_rel=judgement.max_rel,
        max_ulp=judgement.max_ulp,
        units=judgement.units,
        cosine=judgement.cosine,
    )


def _ask_again(
    source: _Side, asked: Sequence[tuple[dict[str, Any], ParityCase]], device: Device
) -> dict[int, More]:
    """For each job, by its index: the call in higher precision, and the same call a few times."""
    calls = REPEATS + 1
    jobs = []
    for job, case in asked:
        first = job["index"] * calls
        wide = {"index": first, "call": case.reference or case.call, "wide": True}
        jobs += [job | wide, *(job | {"index": first + n} for n in range(1, calls))]
    found = _answers(source, jobs, device).by_case if jobs else {}
    return {
        job["index"]: More(
            reference=found.get(job["index"] * calls),
            repeats=[
                again
                for n in range(1, calls)
                if (again := found.get(job["index"] * calls + n)) and not again.raised
            ],
        )
        for job, _ in asked
    }


# ---------------------------------------------------------------------- inputs


def _write_inputs(cases: Sequence[ParityCase], folder: Path) -> list[dict[str, Any]]:
    """The cases as the worker reads them; their tensors as files."""
    folder.mkdir(parents=True)
    jobs = []
    for index, case in enumerate(cases):
        files = _Files(folder, index)
        jobs.append(
            {
                "index": index,
                "call": case.call,
                "imports": list(case.imports),
                "args": [_encoded(argument, files) for argument in case.args],
                "kwargs": {key: _encoded(a, files) for key, a in case.kwargs.items()},
            }
        )
    return jobs


@dataclass(slots=True)
class _Files:
    """The input files of one case."""

    folder: Path
    case: int
    count: int = 0

    def add(self, spec: TensorSpec) -> str:
        import numpy as np

        name = f"{self.case}_{self.count}.npy"
        self.count += 1
        np.save(self.folder / name, generate(spec))
        return name


def _encoded(argument: Argument, files: _Files) -> dict[str, Any]:
    if isinstance(argument, TensorSpec):
        file = files.add(argument)
        shape = {"dtype": argument.dtype, "layout": argument.layout, "grad": argument.grad}
        return {"kind": "tensor", "file": file, **shape}
    if isinstance(argument, Placeholder):
        return {"kind": argument.kind, "value": argument.value}
    if isinstance(argument, tuple):
        return {"kind": "list", "items": [_encoded(each, files) for each in argument]}
    return {"kind": "value", "value": argument}


# -------------------------------------------------------------------- one side


def _answers(side: _Side, jobs: list[dict[str, Any]], device: Device) -> _Answers:
    """Start the worker, again after each crash, without the cases that have an answer."""
    side.folder.mkdir(parents=True)
    found = _Answers()
    attempt = 0
    while left := [job for job in jobs if job["index"] not in found.by_case]:
        attempt += 1
        result = _run_worker(side, left, device, attempt)
        if (side.folder / "unavailable.json").exists():
            text = (side.folder / "unavailable.json").read_text(encoding="utf-8")
            found.unavailable = json.loads(text)
            break
        _collect(side, found, left, result)
    return found


def _run_worker(
    side: _Side, jobs: list[dict[str, Any]], device: Device, attempt: int
) -> StepResult:
    path = side.folder / f"job.{attempt}.json"
    job = {
        "prelude": side.prelude,
        "device": str(device),
        "inputs": str(side.folder.parent / "inputs"),
        "out": str(side.folder),
        "timeout": side.timeout,
        "plugins": [str(plugin) for plugin in side.plugins],
        "cases": jobs,
    }
    path.write_text(json.dumps(job), encoding="utf-8")
    (side.folder / "started.txt").unlink(missing_ok=True)
    step = Step(
        name=f"parity {side.name}",
        argv=(str(side.python), "-P", str(WORKER), str(path)),
        cwd=str(side.cwd),
        environment={
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONNOUSERSITE": "1",
            "PYTHONPATH": "",
            **side.environment,
        },
        timeout=START_TIMEOUT + side.timeout * len(jobs),
    )
    log = side.log.with_suffix(f".{attempt}{side.log.suffix}") if attempt > 1 else side.log
    return process.run(step, log, side.on_line)


def _collect(side: _Side, found: _Answers, jobs: list[dict[str, Any]], result: StepResult) -> None:
    """Take what was answered; blame an end before time on the case that was at work."""
    for job in jobs:
        answer = load(side.folder, job["index"])
        if answer is not None:
            found.by_case[job["index"]] = answer
    left = [job["index"] for job in jobs if job["index"] not in found.by_case]
    if not left:
        return
    lines = _lines(side.folder / "started.txt")
    began = [int(line) for line in lines if line.isdigit()]
    slow = any(line.startswith(WATCHDOG) for line in lines)
    ending = _ending(result, side.timeout if slow else None)
    if began and began[-1] in left:
        found.by_case[began[-1]] = Answer(raised=ending, phase="crash")
    if began:
        return
    reason = f"the process {ending} before any case ran: {result.tail[-1500:]}"
    for index in left:
        found.by_case[index] = Answer(raised=reason, phase="import")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []


def _ending(result: StepResult, slow: float | None) -> str:
    if slow is not None:
        return f"ran past the limit of {slow:g} s for one case"
    if result.timed_out:
        return "ran past the limit for all cases"
    if result.returncode < 0:
        return f"crashed: {process.signal_name(-result.returncode)}"
    return f"ended with exit status {result.returncode}"
