"""What the outcomes of a suite amount to, in one status and one reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from porter.model import Cell, Outcome, Status, SuiteResult


def summarize(
    cell: Cell,
    command: str,
    outcomes: Mapping[str, Outcome],
    messages: Mapping[str, str],
    problem: str,
    notes: Sequence[str],
) -> SuiteResult:
    """The result of a suite; `problem` says why it did not get to its end.

    Nothing but skips is SKIPPED, never OK.
    """
    counts = Counter(outcomes.values())
    reasons = (problem, *notes, _counted(counts, outcomes, messages))
    return SuiteResult(
        cell=cell,
        status=_status(counts, problem),
        reason="; ".join(reason for reason in reasons if reason),
        command=command,
        outcomes=outcomes,
        messages=messages,
    )


def _status(counts: Counter[Outcome], problem: str) -> Status:
    if problem:
        return Status.PARTIAL if counts[Outcome.PASSED] else Status.FAILED
    if counts.total() == counts[Outcome.SKIPPED]:
        return Status.SKIPPED
    bad = counts[Outcome.FAILED] + counts[Outcome.ERROR]
    return Status.FAILED if bad else Status.OK


def _counted(
    counts: Counter[Outcome], outcomes: Mapping[str, Outcome], messages: Mapping[str, str]
) -> str:
    if not outcomes:
        return "no tests were collected"
    why = "".join(
        f" ({word} mostly: {said})"
        for word, outcome in (("skipped", Outcome.SKIPPED), ("errors", Outcome.ERROR))
        if (said := _commonest(outcome, outcomes, messages))
    )
    return ", ".join(f"{counts[o]} {o}" for o in Outcome if counts[o]) + why


def _commonest(
    outcome: Outcome, outcomes: Mapping[str, Outcome], messages: Mapping[str, str]
) -> str:
    """The first line of what is said most of the tests with this outcome."""
    said = (messages.get(name, "") for name, found in outcomes.items() if found is outcome)
    lines = Counter(text.strip().splitlines()[0] for text in said if text.strip())
    return lines.most_common(1)[0][0] if lines else ""
