"""Divide the test files into shards that take about the same time.

On a machine that does nothing else, `make test-all PORTER_TEST_TIMES=FILE` measures them; then
`python -m tests.shards FILE` updates durations.json.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

DURATIONS = Path(__file__).with_name("durations.json")  # file -> seconds
SHORTEST = 2.0  # seconds; files that take less are not listed


def durations() -> dict[str, float]:
    """Return the seconds that each long test file takes."""
    found: dict[str, float] = json.loads(DURATIONS.read_text())
    return found


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def choose(files: Collection[str], seconds: Mapping[str, float], shard: str) -> set[str]:
    """Return the files of shard "K/N"; together the N shards hold every file once.

    Raises pytest.UsageError where `shard` is not of that form.
    """
    number, slash, count = shard.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise pytest.UsageError(f"--shard {shard}: give K/N, for instance 2/6")
    parts: list[set[str]] = [set() for _ in range(int(count))]
    loads = [0.0] * len(parts)
    for file in sorted(files, key=lambda file: (-seconds.get(file, 0.0), file)):
        lightest = loads.index(min(loads))
        parts[lightest].add(file)
        loads[lightest] += max(seconds.get(file, 0.0), 0.1)
    return parts[int(number) - 1]


def main(times: str) -> None:
    measured: Counter[str] = Counter()
    for line in Path(times).read_text().splitlines():
        for nodeid, took in json.loads(line).items():
            measured[file_of(nodeid)] += took
    updated = {**durations(), **measured}
    kept = {file: round(took) for file, took in sorted(updated.items()) if took >= SHORTEST}
    DURATIONS.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
