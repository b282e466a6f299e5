"""Try every hostile input and fault, and write the table of what held.

`python -m tests.hostile [--group TEXT] [--output docs/reference/hostile-inputs.md]`
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
import tempfile
import traceback
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import tests.hostile
from tests.hostile.case import Case

JOBS = 2
PAGE = """<!-- Made by `make hostile`; change tests/hostile instead. -->

# Hostile inputs and faults

What porter was tried with, by `make hostile`: hostile repositories and archives, `kill -9` at
writing system calls of porter and of the git that it starts, full and read-only disks, two commands
at once. Something is *lost* where a file or ref of the user's is neither as before nor as after,
code of a repository ran unasked, a process goes on, a file is left once the next command ran, or
porter ended otherwise than with a clear error. Each line is a group of
`tests/hostile`.

{table}
"""


def areas() -> Iterator[tuple[str, list[Case]]]:
    """Each module that has cases, and its cases."""
    for module in pkgutil.iter_modules(tests.hostile.__path__):
        if module.name != "__main__" and (cases := _cases(module.name)):
            yield module.name, cases


@cache
def _cases(module: str) -> list[Case]:
    found = importlib.import_module(f"tests.hostile.{module}")
    return list(found.cases()) if hasattr(found, "cases") else []


def _set_up(folder: str) -> None:
    tempfile.tempdir = folder


def _try(chosen: tuple[str, int]) -> str | None:
    module, number = chosen
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            return _cases(module)[number].run(Path(folder))
        except Exception:  # a check that cannot be made is no check that held
            return traceback.format_exc()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--group", default="", help="only groups with this text in their name")
    parser.add_argument("--without", help="leave out groups with this text in their name")
    parser.add_argument("--output", type=Path, help="also write the table to this page")
    options = parser.parse_args()
    chosen = {
        (module, number): case
        for module, cases in areas()
        for number, case in enumerate(cases)
        if options.group in case.group and not (options.without and options.without in case.group)
    }
    tried: dict[str, int] = defaultdict(int)
    lost: dict[str, list[str]] = defaultdict(list)
    with (
        tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as folder,
        ProcessPoolExecutor(JOBS, initializer=_set_up, initargs=(folder,)) as pool,
    ):
        results = zip(chosen.values(), pool.map(_try, chosen), strict=True)
        for done, (case, said) in enumerate(results, 1):
            tried[case.group] += 1
            if said is not None:
                lost[case.group].append(f"{case.name}: {said}")
                print(f"LOST  {case.group}: {case.name}: {said}", flush=True)
            if done % 50 == 0:
                print(f"{done} of {len(chosen)} tried", file=sys.stderr, flush=True)
    text = table(tried, lost)
    print(text)
    if options.output:
        options.output.write_text(PAGE.format(table=text))
    return 1 if any(lost.values()) else 0


def table(tried: dict[str, int], lost: dict[str, list[str]]) -> str:
    rows = [f"| {group} | {n} | {n - len(lost[group])} | {len(lost[group]) or 'nothing'} |"
            for group, n in sorted(tried.items())]  # fmt: skip
    count = sum(tried.values())
    held = count - sum(map(len, lost.values()))
    rows.append(f"| **all** | **{count}** | **{held}** | {count - held or 'nothing'} |")
    return "\n".join(["| fault or input | tried | held | lost |", "|---|---|---|---|", *rows])


if __name__ == "__main__":
    sys.exit(main())
