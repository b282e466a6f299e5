"""Find the tests whose result is chance: they pass at one time and fail at another under the source
framework, most often because their inputs are random and no seed is set."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection

from porter.model import Cell, Outcome, SuiteResult
from porter.suite.compare import compare

RUNS = 5
SECONDS = 120.0  # for all runs together
ASSERTION = "AssertionError"

Rerun = Callable[[Cell, Collection[str], float], SuiteResult]
Results = dict[str, dict[Cell, list[bool]]]  # node id -> cell -> whether it passed, in each run


def find_flaky(
    source: SuiteResult,
    patched: SuiteResult | None,
    target: SuiteResult | None,
    rerun: Rerun,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[str, ...]:
    """Run again, under the source framework, the files of the tests that cells disagree on, and
    return the tests whose results differ.

    `rerun` runs the files of some tests in a cell, in at most so many seconds. A test that passes
    in the whole suite and never in its own file depends on other tests, and is not flaky.
    """
    found = compare(source, patched, target)
    # What fails otherwise than in an assertion lacks something: no random input decides that.
    doubtful = [n for n in found.lost if n in found.failures]
    doubtful = [n for n in doubtful if found.failures[n].exception == ASSERTION]
    left = dict.fromkeys((*doubtful, *found.lost_patched, *found.fixed))
    sides = [side for side in (source, patched) if side is not None and side.outcomes]
    results: Results = defaultdict(lambda: defaultdict(list))
    for side in sides:
        for name in left:
            results[name][side.cell].append(side.outcomes.get(name) is Outcome.PASSED)
    flaky: list[str] = []
    end = clock() + SECONDS
    for _ in range(RUNS):
        for side in sides:
            remaining = end - clock()
            if not left or remaining <= 0:
                return tuple(flaky)
            again = rerun(side.cell, [*left], remaining).outcomes
            for name in left:
                if again.get(name) in (Outcome.PASSED, Outcome.FAILED):
                    results[name][side.cell].append(again[name] is Outcome.PASSED)
        new = [name for name in left if _varies(results[name])]
        new += [
            n for n in left if n in found.fixed and patched and not all(results[n][patched.cell])
        ]
        flaky += dict.fromkeys(new)
        left = {name: None for name in left if name not in flaky}
    return tuple(flaky)


def _varies(results: dict[Cell, list[bool]]) -> bool:
    again = any(passed for runs in results.values() for passed in runs[1:])
    return again and any(len(set(runs)) > 1 for runs in results.values())
