"""Make the support matrix of what the reference pages and surfaces of this tree say.

`python -m tests.support` writes docs/reference/support.md; `make pages` calls it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from porter import targets

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs/reference"
PAGE = REFERENCE / "support.md"
VERSIONS = r"(?P<{}>\d+(?:\.\d+)+)"  # of what is named before

HEAD = """\
<!-- Made by `make pages` from the pages that it links to; change tests/support.py instead. -->

# Support matrix

What was run with which versions, and what was only compiled. Each row is read from the page that it links to, which
says how to repeat it. An empty cell means that the page does not name a version, and no row that there is no result.

- *run*: built and run on the device.
- *emulated*: run on a CPU that stands in for the device, by kernels that were compiled or interpreted for it.
- *compiled*: compiled to objects for the device, not run.

## Results

| target | torch | device | evidence | what | results |
|---|---|---|---|---|---|
"""


class Result(NamedTuple):
    """A row: where its versions stand, and what is made of the tables of its page."""

    page: str
    target: str  # a pattern
    torch: str
    device: str
    evidence: str
    what: str
    find: Callable[[str], str]


def tables(text: str) -> list[list[list[str]]]:
    """Return the tables of a page, as rows of cells, without the line below the header."""
    found = re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)
    split = [[re.split(r" *(?<!\\)\| *", row)[1:-1] for row in one.splitlines()] for one in found]
    return [[rows[0], *rows[2:]] for rows in split]


def column(text: str, table: int, name: str) -> list[str]:
    head, *rows = tables(text)[table]
    return [row[head.index(name)] for row in rows]


def unmodified(text: str) -> str:
    head, *rows = tables(text)[0]
    names = [row[0] for row in rows if row[2].isdigit() and "one pytest process" not in row[0]]
    passed = sum(int(row[2]) for row in rows if row[0] in names)
    return f"{len(names)} repositories, {passed:,} tests pass without a changed line"


def ported(text: str) -> str:
    rows = tables(text)[0][1:]
    own = [row for row in rows if "`--vendor`" not in row[0]]
    passed = [int(row[1].split(" / ")[2]) for row in own]
    verdicts = [row[-1] for row in own]
    said = " and ".join(f"{verdicts.count(v)} {v}" for v in ("PORTED", "RUNS"))
    return f"{len(own)} repositories, {sum(passed):,} tests pass: {said}"


def cuda_units(text: str) -> str:
    """Count units of each repository once, by the last table that has it."""
    units: dict[str, tuple[int, int]] = {}
    for head, *rows in tables(text):
        for row in rows if "CUDA units" in head else ():
            good, _, every = row[head.index("CUDA units")].partition("/")
            name = row[0].split()[0].rpartition("/")[2].removeprefix("pytorch_").removeprefix("torch-")
            if every:
                units[name] = int(good), int(every)
    good, every = (sum(pair[i] for pair in units.values()) for i in (0, 1))
    return f"{good} of {every} CUDA units of {len(units)} repositories"


def operators(text: str) -> str:
    (row,) = [r for r in tables(text)[1][1:] if r[0] == "together"]
    return f"{int(row[1]):,} calls of torch's operators, {row[-1]} % the same"


def triton(text: str) -> str:
    cases = [int(n) for n in column(text, 1, "cases")]
    agree = [int(n) for n in column(text, 1, "agree under Paddle")]
    return f"{sum(agree)} of {sum(cases)} parity cases of {len(cases)} libraries"
