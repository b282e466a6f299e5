"""What a call costs under both frameworks: the same calls, timed by turns."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from porter.model import Cost, Device, ParityCase
from porter.parity.answers import Answer
from porter.parity.side import START_TIMEOUT, Session, Side, write_inputs

SECONDS = 0.1  # of calls in one turn
TURNS = 7


def bench(
    cases: Sequence[ParityCase], device: Device, source: Side, target: Side, turns: int = TURNS
) -> tuple[Cost, ...]:
    """The cost of each case on a device, of a grid of its first point.

    `source` and `target` share their inputs' folder. A case that raises has the reason.
    """
    seconds = START_TIMEOUT + len(cases) * (turns * SECONDS * 10 + source.timeout)
    with Session(source, device, seconds) as one, Session(target, device, seconds) as other:
        costs = []
        for number, case in enumerate(_firsts(cases)):
            job = write_inputs([case], source.inputs, number)[0]
            taken: list[tuple[Answer, Answer]] = []
            for turn in range(turns):
                timed = job | {"index": number * turns + turn, "seconds": SECONDS}
                here, there = _ask(one, timed), _ask(other, timed)
                taken.append((here, there))
                if here.raised or there.raised:
                    break
            costs.append(_cost(case, device, taken))
    return tuple(costs)


def _ask(session: Session, job: dict[str, Any]) -> Answer:
    found = session.ask([job])
    return found.by_case.get(job["index"], Answer(raised=found.unavailable))


def _firsts(cases: Sequence[ParityCase]) -> list[ParityCase]:
    found: dict[str, ParityCase] = {}
    for case in cases:
        found.setdefault(case.group or case.name, case)
    return list(found.values())


def _cost(case: ParityCase, device: Device, taken: Sequence[tuple[Answer, Answer]]) -> Cost:
    cost = Cost(case=case.name, device=device)
    for name, answer in zip(("source", "target"), taken[-1], strict=True):
        if answer.raised:
            return replace(cost, problem=f"{name}: {answer.raised}")
    times = [(a.tree["returned"], b.tree["returned"]) for a, b in taken]
    ratios = [there / here for here, there in times]
    low, ratio, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
    done = [b.tree["done"] / a.tree["done"] for a, b in taken]
    return replace(
        cost,
        source=statistics.median(here for here, _ in times),
        target=statistics.median(there for _, there in times),
        ratio=ratio,
        low=low,
        high=high,
        kernel_ratio=statistics.median(done) if device is not Device.CPU else None,
    )
