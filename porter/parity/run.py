"""Run parity cases under both frameworks, one process each, and judge the answers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from porter.model import Device, Evidence, ParityCase, ParityResult, Status
from porter.parity import written
from porter.parity.answers import Answer
from porter.parity.compare import NUMBERS, Judgement, More, compare
from porter.parity.shrink import smallest
from porter.parity.side import (
    START_TIMEOUT,
    Jobs,
    Session,
    Side,
    again_as,
    ask,
    repeat_job,
    write_inputs,
)

SHRUNK = 10  # failing cases made smaller, in all
SHRINKING = 30.0  # seconds for each
NUMBERED = 1_000_000  # smaller cases: from here, far from those that a source is asked again


def run_parity(
    cases: Sequence[ParityCase],
    sides: tuple[Side | None, Side | None],
    device: Device,
    evidence: Evidence = Evidence.NATIVE,
    *,
    excuse: bool = True,
    shrink: bool = False,
) -> tuple[ParityResult, ...]:
    """Judge each case that names this device, or the one that the source runs on, in order.

    `sides` are the source and the target, which share a folder to work in: it is emptied first.
    One that was not built skips the cases. A case whose kernels ran on a stand-in for their device
    has the evidence EMULATED. Where numbers differ, the source is asked again, in higher precision
    and a few times: what it is off by itself excuses the target (`porter.parity.measure`), unless
    `excuse` is false. With `shrink` the result of a case that failed has the smallest call that
    fails in the same way; of a grid one for each such way.
    """
    source, target = sides
    wanted = {device, (source and source.device) or device}
    mine = [case for case in cases if wanted & {*case.devices}]
    if not mine or source is None or target is None:
        absent = (name for name, side in zip(("source", "target"), sides, strict=True) if not side)
        return skip_cases(mine, device, f"not built on the {' and the '.join(absent)}", evidence)
    source, target = replace(source, name="source"), replace(target, name="target")
    shutil.rmtree(source.work, ignore_errors=True)
    jobs = write_inputs(mine, source.inputs)
    answers = []
    for side in (source, target):
        found = ask(side, jobs, device)
        if found.unavailable:
            return skip_cases(mine, device, f"{side.name}: {found.unavailable}", evidence)
        answers.append(found.by_case)
    again = replace(source, name="again")
    results = judge_cases(
        mine,
        jobs,
        answers[0],
        answers[1],
        lambda more: ask(again, more, device).by_case,
        device,
        evidence,
        excuse,
    )
    chosen = _choose_to_shrink(mine, results) if shrink else []
    if not chosen:
        return results
    smaller = source.work / "smaller"
    source, target = replace(source, work=smaller), replace(target, work=smaller)
    return _shrink_failures(mine, results, chosen, source, target, device)


def judge_cases(
    cases: Sequence[ParityCase],
    jobs: Jobs,
    source: Mapping[int, Answer],
    target: Mapping[int, Answer],
    again: Callable[[Jobs], Mapping[int, Answer]],
    device: Device,
    evidence: Evidence = Evidence.NATIVE,
    excuse: bool = True,
) -> tuple[ParityResult, ...]:
    """A result for each case, from both answers by its job's number; `again` asks the source."""
    numbers = [job["index"] for job in jobs]

    def judgement(n: int, more: More | None = None) -> Judgement:
        return compare(cases[n], source[numbers[n]], target[numbers[n]], more)

    judgements = [judgement(n) for n in range(len(cases))]
    doubtful = [
        n
        for n, one in enumerate(judgements)
        if (excuse and one.phase in NUMBERS) or (cases[n].reference and not one.phase)
    ]
    asked = [more for n in doubtful for more in repeat_job(jobs[n], cases[n])]
    found = again(asked) if asked else {}
    for n in doubtful:
        judgements[n] = judgement(n, again_as(found, numbers[n]))
    for n in _never_ran(cases, judgements):
        judgements[n] = replace(judgements[n], phase="call", refused=False)
    stood_in = (source[number].emulated or target[number].emulated for number in numbers)
    return tuple(
        _result(case, device, Evidence.EMULATED if emulated else evidence, one)
        for case, one, emulated in zip(cases, judgements, stood_in, strict=True)
    )


def _choose_to_shrink(cases: Sequence[ParityCase], results: Sequence[ParityResult]) -> list[int]:
    """Of each case, or of the points of its grid, the first that failed in one way."""
    found: dict[tuple[object, ...], int] = {}
    for n, result in enumerate(results):
        if result.status is Status.FAILED and result.phase != "import":
            found.setdefault((cases[n].group or cases[n].name, *_way(result)), n)
    return list(found.values())[:SHRUNK]


def _way(result: ParityResult) -> tuple[object, ...]:
    """How a case failed: the phase, and which side raised what."""
    return result.phase, *re.findall(r"\b(source|target): (\w+)", result.message)


def _shrink_failures(
    cases: Sequence[ParityCase],
    results: Sequence[ParityResult],
    chosen: Sequence[int],
    before: Side,
    after: Side,
    device: Device,
) -> tuple[ParityResult, ...]:
    found = list(results)
    seconds = START_TIMEOUT + len(chosen) * (SHRINKING + before.timeout)
    tried = NUMBERED
    with Session(before, device, seconds) as source, Session(after, device, seconds) as target:

        def way(case: ParityCase) -> tuple[object, ...]:
            nonlocal tried
            tried += 1
            jobs = write_inputs([case], before.inputs, tried)
            (one,) = judge_cases(
                [replace(case, group="")],
                jobs,
                source.ask(jobs).by_case,
                target.ask(jobs).by_case,
                lambda more: source.ask(more).by_case,
                device,
            )
            return _way(one)

        for n in chosen:
            failed = _way(results[n])
            least = smallest(cases[n], lambda case, failed=failed: way(case) == failed, SHRINKING)  # type: ignore[misc]
            arguments = {k: v for k, v in written.entry(least).items() if k in ("args", "kwargs")}
            text = "\n".join(f"{key} = {written.inline(v)}" for key, v in arguments.items())
            found[n] = replace(found[n], smallest=text)
    return tuple(found)


def skip_cases(
    cases: Sequence[ParityCase], device: Device, reason: str, evidence: Evidence = Evidence.NATIVE
) -> tuple[ParityResult, ...]:
    """Cases that were not run, and why."""
    blank = ParityResult(
        case="", device=device, evidence=evidence, status=Status.SKIPPED, message=reason
    )
    return tuple(replace(blank, case=case.name) for case in cases)


def _never_ran(cases: Sequence[ParityCase], judgements: Sequence[Judgement]) -> list[int]:
    """The points of grids of which every point was refused: such a case compares nothing."""
    ran = {case.group for n, case in enumerate(cases) if not judgements[n].refused}
    points = (n for n, case in enumerate(cases) if case.group and case.expect == "either")
    return [n for n in points if cases[n].group not in ran]


def _result(
    case: ParityCase, device: Device, evidence: Evidence, judgement: Judgement
) -> ParityResult:
    said = {key: value for key, value in asdict(judgement).items() if key != "refused"}
    status = Status.FAILED if judgement.phase else Status.OK
    return ParityResult(case=case.name, device=device, evidence=evidence, status=status, **said)
