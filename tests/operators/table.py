"""What became of the calls, by operator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.operators.calls import ATTRIBUTE, DTYPES, ERRORS, METHOD
from tests.operators.comparison import Outcome

MOST_USED = 300
ENOUGH = 0.97  # of the calls
GOOD = (Outcome.SAME, Outcome.STRIDES)
SHORT = ("f32", "f64", "i64", "bool", "c64", "f16", "bf16")


@dataclass
class Row:
    """The calls of an entry: how many of each outcome by dtype, and the first that differs."""

    name: str
    operator: str  # the name that is called
    names: list[str]  # in all forms
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    first: str = ""


@dataclass
class Operator:
    """The entries of one name, and how often that is used."""

    name: str
    uses: int
    rows: list[Row]

    def share(self) -> float:
        every = total(self.rows)
        return total(self.rows, *GOOD) / every if every else 1.0


def row_of(name: str, calls: list[Any]) -> Row:
    """The row of an entry: of (dtype, sample, form, outcome, why) of each call."""
    forms = Counter(call[2].removesuffix(ATTRIBUTE) for call in calls)
    functions = [form for form in forms if not form.startswith(METHOD)]
    operator = (functions or [*forms] or [f"torch.{name}"])[0]
    row = Row(name, operator, sorted(forms))
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for dtype, number, form, outcome, why in calls:
        counts[dtype][outcome] += 1
        if dtype != ERRORS and outcome not in GOOD and not row.first:
            said, *_ = why.split("\n")
            row.first = f"{form} of {dtype}, sample {number}: {said}"[:200]
    row.counts = {dtype: dict(of) for dtype, of in counts.items()}
    return row


def operators(rows: Iterable[Row], uses: Mapping[str, int]) -> list[Operator]:
    """The operators, the most used first."""
    by_name: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_name[row.operator].append(row)
    found = []
    for name, entries in by_name.items():
        names = {each for row in entries for each in row.names}
        found.append(Operator(name, sum(uses.get(each, 0) for each in names), entries))
    return sorted(found, key=lambda operator: (-operator.uses, operator.name))


def total(rows: Iterable[Row], *outcomes: str, dtypes: Iterable[str] = DTYPES) -> int:
    """The calls of these dtypes that have one of the outcomes; without any: all."""
    found = [row.counts.get(dtype, {}) for row in rows for dtype in dtypes]
    return sum(n for of in found for key, n in of.items() if not outcomes or key in outcomes)


def summary(rows: list[Row], used: list[Operator]) -> Iterator[str]:
    """A table by dtype, and the sentences that say what it comes to."""
    yield "| dtype | calls | same | other strides | different | raises | same, % |"
    yield f"|---|{'---:|' * 6}"
    for name, dtypes in (*((dtype, [dtype]) for dtype in DTYPES), ("together", DTYPES)):
        every, good = total(rows, dtypes=dtypes), total(rows, *GOOD, dtypes=dtypes)
        counts = [total(rows, outcome, dtypes=dtypes) for outcome in Outcome]
        part = f"{100 * good / max(every, 1):.1f}"
        yield f"| {' | '.join(map(str, (name, every, *counts, part)))} |"
    refused = total(rows, dtypes=[ERRORS])
    alike = total(rows, Outcome.SAME, dtypes=[ERRORS])
    enough = sum(operator.share() >= ENOUGH for operator in used)
    entire = sum(total([row], *GOOD) == total([row]) for row in rows)
    yield f"\n{len(rows)} entries, {entire} of them the same in every call."
    yield f"Torch refuses {refused} more calls; {alike} of these end in the same type of error."
    yield (
        f"Of the {len(used)} operators that are used most, {enough} have at least {ENOUGH:.0%} "
        "of the calls the same."
    )


def table_of_rest(rows: list[Row], what: str) -> Iterator[str]:
    """A sentence, and a table of the entries of which a sample is not the same."""
    left = [row for row in rows if total([row], *GOOD) < total([row])]
    good, every, whole = total(rows, *GOOD), total(rows), len(rows) - len(left)
    yield f"{good} of {every} samples are the same; all of {whole} of {len(rows)} {what}.\n"
    yield f"| {what} | samples | same | the first that differs |"
    yield "|---|---:|---:|---|"
    for row in left:
        first = row.first.replace("|", "\\|").replace("<", "&lt;")
        yield f"| {row.name} | {total([row])} | {total([row], *GOOD)} | {first} |"


def lines(found: Iterable[Operator]) -> Iterator[str]:
    """A table of operators."""
    yield f"| operator | uses | calls | different | raises | {' | '.join(SHORT)} | the first |"
    yield f"|---|{'---:|' * 11}---|"
    for operator in found:
        rows = operator.rows
        parts = []
        for dtype in DTYPES:
            every = total(rows, dtypes=[dtype])
            good = total(rows, *GOOD, dtypes=[dtype])
            parts.append(str(100 * good // every) if every else "")
        first = next((row.first for row in rows if row.first), "").replace("|", "\\|")
        name = operator.name.removeprefix("torch.") + ("" if operator.share() >= ENOUGH else " \\*")
        counts = (total(rows), total(rows, Outcome.DIFFERENT), total(rows, Outcome.RAISES))
        cells = (name, operator.uses, *counts, *parts, first.replace("<", "&lt;"))
        yield f"| {' | '.join(map(str, cells))} |"
