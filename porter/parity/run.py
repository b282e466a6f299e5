"""Run parity cases under both frameworks, one process each, and judge the answers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.model import Device, Evidence, ParityCase, ParityResult, Status
from porter.parity import compare, written
from porter.parity.answers import Answer
from porter.parity.compare import Judgement, More
from porter.parity.shrink import smallest
from porter.parity.side import (
    CASE_TIMEOUT,
    START_TIMEOUT,
    Jobs,
    Session,
    Side,
    ask,
    ask_again,
    write_inputs,
)

SHRUNK = 10  # failing cases made smaller, in all
SHRINKING = 30.0  # seconds for each
NUMBERED = 1_000_000  # smaller cases: from here, far from those that a source is asked again


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Both sides of a comparison, and where they run; None: a side that was not built.

    The interpreters have the built package. `target_prelude` is Python run before torch is
    imported, with PORTER_DEVICE set; `plugins` are files that each side runs before that. On a CPU
    the cases of a side may take `memory` bytes, or half of what is free. Inputs and answers are
    left in `workdir`, which is emptied first; logs beside `log`, or there. The processes run in
    `cwd`, or in `workdir`: never where the tree hides the built package.
    """

    device: Device
    evidence: Evidence
    source_python: Path | None
    target_python: Path | None
    target_prelude: str
    workdir: Path
    cwd: Path | None = None
    log: Path | None = None
    on_line: Callable[[str], None] = lambda line: None
    source_env: Mapping[str, str] = field(default_factory=dict)
    target_env: Mapping[str, str] = field(default_factory=dict)
    case_timeout: float = CASE_TIMEOUT
    memory: int = 0
    plugins: Sequence[Path] = ()
    source_device: Device | None = None  # where it is not the target's

    @property
    def absent(self) -> str:
        """Which sides were not built; empty where both were."""
        sides = (("source", self.source_python), ("target", self.target_python))
        return " and the ".join(name for name, python in sides if python is None)

    def side(self, name: str) -> Side:
        """The process that is called source, target, or, for the source asked again, again."""
        on_target = name == "target"
        python = self.target_python if on_target else self.source_python
        assert python is not None, "absent sides are skipped"
        log = self.log or self.workdir / "parity.log"
        return Side(
            name=name,
            python=python,
            prelude=self.target_prelude if on_target else "",
            inputs=self.workdir / "inputs",
            folder=self.workdir / name,
            environment=self.target_env if on_target else self.source_env,
            cwd=self.cwd or self.workdir,
            log=log.with_suffix(f".{name}{log.suffix}"),
            on_line=self.on_line,
            timeout=self.case_timeout,
            memory=self.memory,
            plugins=tuple(self.plugins),
            device=None if on_target else self.source_device,
        )


def run_parity(
    cases: Sequence[ParityCase], setup: Setup, *, excuse: bool = True, shrink: bool = False
) -> tuple[ParityResult, ...]:
    """Judge each case that names this device, or the one that the source runs on, in order.

    A side that was not built skips the cases. A case whose kernels ran on a stand-in for their
    device has the evidence EMULATED, any other that of the setup. Where numbers differ, the source
    is asked again, in higher precision and a few times: what it is off by itself excuses the target
    (`porter.parity.measure`), unless `excuse` is false. With `shrink` the result of a case that
    failed has the smallest call that fails in the same way; of a grid one for each such way.
    """
    device, evidence = setup.device, setup.evidence
    wanted = {device, setup.source_device or device}
    mine = [case for case in cases if wanted & {*case.devices}]
    if not mine or setup.absent:
        reason = f"not built on the {setup.absent}"
        return tuple(skipped(case, device, evidence, reason) for case in mine)
    shutil.rmtree(setup.workdir, ignore_errors=True)
    jobs = write_inputs(mine, setup.workdir / "inputs")
    before, after, again = (setup.side(name) for name in ("source", "target", "again"))
    answers = []
    for each in (before, after):
        found = ask(each, jobs, device)
        if found.unavailable:
            reason = f"{each.name}: {found.unavailable}"
            return tuple(skipped(case, device, evidence, reason) for case in mine)
        answers.append(found.by_case)
    results = judged(
        mine,
        answers[0],
        answers[1],
        lambda asked: ask_again(
            lambda more: ask(again, more, device), [(jobs[n], mine[n]) for n in asked]
        ),
        device,
        evidence,
        excuse=excuse,
    )
    chosen = _to_shrink(mine, results) if shrink else []
    if not chosen:
        return results
    smaller = setup.workdir / "smaller"
    source, target = (
        replace(each, folder=smaller / each.name, inputs=smaller) for each in (before, after)
    )
    return _shrunk(mine, results, chosen, source, target, device, evidence)


def judged(
    cases: Sequence[ParityCase],
    source: Mapping[int, Answer],
    target: Mapping[int, Answer],
    again: Callable[[Sequence[int]], Mapping[int, More]],
    device: Device,
    evidence: Evidence,
    *,
    excuse: bool = True,
) -> tuple[ParityResult, ...]:
    """A result for each case, from both answers by its number; `again` asks the source again."""
    judgements = {n: compare.compare(case, source[n], target[n]) for n, case in enumerate(cases)}
    doubtful = [
        n
        for n, judgement in judgements.items()
        if (excuse and judgement.phase in compare.NUMBERS)
        or (cases[n].reference and not judgement.phase)
    ]
    more = again(doubtful)
    for n in doubtful:
        judgements[n] = compare.compare(cases[n], source[n], target[n], more[n])
    for n in _never_ran(cases, judgements):
        judgements[n] = replace(judgements[n], phase="call", refused=False)
    return tuple(
        _result(case, device, evidence, judgements[n], source[n].emulated or target[n].emulated)
        for n, case in enumerate(cases)
    )


def _to_shrink(cases: Sequence[ParityCase], results: Sequence[ParityResult]) -> list[int]:
    """Of each case, or of the points of its grid, the first that failed in one way."""
    found: dict[tuple[object, ...], int] = {}
    for n, result in enumerate(results):
        if result.status is Status.FAILED and result.phase != "import":
            found.setdefault((cases[n].group or cases[n].name, *_way(result)), n)
    return list(found.values())[:SHRUNK]


def _way(result: ParityResult) -> tuple[object, ...]:
    """How a case failed: the phase, and which side raised what."""
    return result.phase, *re.findall(r"\b(source|target): (\w+)", result.message)


def _shrunk(
    cases: Sequence[ParityCase],
    results: Sequence[ParityResult],
    chosen: Sequence[int],
    before: Side,
    after: Side,
    device: Device,
    evidence: Evidence,
) -> tuple[ParityResult, ...]:
    found = list(results)
    seconds = START_TIMEOUT + len(chosen) * (SHRINKING + before.timeout)
    tried = NUMBERED
    with Session(before, device, seconds) as source, Session(after, device, seconds) as target:

        def way(case: ParityCase) -> tuple[object, ...]:
            nonlocal tried
            tried += 1
            jobs: Jobs = write_inputs([case], before.inputs, tried)
            (one,) = judged(
                [replace(case, group="")],
                {0: source.ask(jobs).by_case[tried]},
                {0: target.ask(jobs).by_case[tried]},
                lambda asked: {n: ask_again(source.ask, [(jobs[0], case)])[tried] for n in asked},
                device,
                evidence,
            )
            return _way(one)

        for n in chosen:
            failed = _way(results[n])
            least = smallest(cases[n], lambda case, failed=failed: way(case) == failed, SHRINKING)  # type: ignore[misc]
            arguments = {k: v for k, v in written.entry(least).items() if k in ("args", "kwargs")}
            text = "\n".join(f"{key} = {written.inline(v)}" for key, v in arguments.items())
            found[n] = replace(found[n], smallest=text)
    return tuple(found)


def skipped(case: ParityCase, device: Device, evidence: Evidence, reason: str) -> ParityResult:
    """A case that was not run, and why."""
    return ParityResult(
        case=case.name, device=device, evidence=evidence, status=Status.SKIPPED, message=reason
    )


def _never_ran(cases: Sequence[ParityCase], judgements: Mapping[int, Judgement]) -> list[int]:
    """The points of grids of which every point was refused: such a case compares nothing."""
    ran = {case.group for n, case in enumerate(cases) if not judgements[n].refused}
    points = (n for n, case in enumerate(cases) if case.group and case.expect == "either")
    return [n for n in points if cases[n].group not in ran]


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
