"""Faults planted in the pieces of porter-compat, and which of the recorded calls finds each."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.operators.comparison import Outcome

LIST = Path(__file__).parent / "mutants.toml"
ENOUGH = 0.9  # of the faults
GOOD = {Outcome.SAME, Outcome.STRIDES}
Rows = list[list[str]]
Replay = Callable[[Path, list[str]], dict[str, Rows]]


class PlantError(Exception):
    """A fault that cannot be planted; the message says which, and why."""


@dataclass(frozen=True)
class Fault:
    """A fault of a piece: a text that is replaced, and the entries of the database that call it."""

    piece: str
    wrong: str
    was: str
    becomes: str
    entries: list[str]


def load() -> list[Fault]:
    return [Fault(**each) for each in tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]]


def with_fault(source: str, fault: Fault) -> str:
    """The source of a piece with the fault. Raises PlantError."""
    if source.count(fault.was) != 1 or fault.was == fault.becomes:
        raise PlantError(f"{fault.piece}: {fault.wrong}: not exactly once in the piece")
    return source.replace(fault.was, fault.becomes)


def found_by(before: Rows, after: Rows) -> str:
    """The first call that is no longer as under torch, "" where all that were still are."""
    for right, now in zip(before, after, strict=True):
        if right[3] in GOOD and now[3] not in GOOD:
            said = f"{now[2]} of {now[0]}, sample {now[1]}: {now[4]}"
            return " ".join(said.split())[:160]
    return ""


def plant(site: Path, copy: Path, replay: Replay) -> Iterator[tuple[Fault, str]]:
    """Each fault, planted in a copy of the package, and what finds it. Raises PlantError."""
    faults = load()
    before = replay(site, sorted({name for fault in faults for name in fault.entries}))
    for fault in faults:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(site, copy)
        path = copy / "porter_compat" / "pieces" / f"{fault.piece}.py"
        path.write_text(with_fault(path.read_text(encoding="utf-8"), fault), encoding="utf-8")
        after = replay(copy, fault.entries)
        yield fault, next(filter(None, (found_by(before[n], after[n]) for n in fault.entries)), "")


def table(found: list[tuple[Fault, str]]) -> list[str]:
    """Lines of a page: how many are found, and each fault with its first call."""
    count = sum(bool(call) for _, call in found)
    lines = [f"{count} of {len(found)} faults are found ({count / len(found):.0%}).\n"]
    lines += ["| piece | fault | found by |", "|---|---|---|"]
    for fault, call in found:
        cells = (
            fault.piece,
            fault.wrong,
            (call or "nothing").replace("|", "\\|").replace("<", "&lt;"),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines
