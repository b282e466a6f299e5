"""The table of kernels, cases, worst error and verdict."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

from porter.emulators.npu import toolkit
from tests import ascend_production
from tests.ascend_production.judge import judged

HOME = Path(os.environ.get("PORTER_HOME", ".cache/porter")).resolve()
OWN = {"__main__", "case", "convolution", "device", "judge", "lora"}


def main() -> int:
    parser = argparse.ArgumentParser(description=ascend_production.__doc__)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--only", default="", help="modules whose name has this")
    options = parser.parse_args()
    made = toolkit(HOME)
    failed, clean, unordered = False, set(), set()
    for name, tree, path in _files(options.trees, options.only):
        told = judged(name, tree, path, made)
        failed |= bool(told.failures)
        verdict = "FAILS" if told.failures else "defect"
        if not told.failures and told.cases + told.unchecked:
            verdict = "parity"
            (clean if told.cases else unordered).add(name)
        counts = f"{told.cases:4} {told.unchecked:4} {told.worst:9.2e}"
        print(f"{verdict:7} {counts}  {tree.name}/{path}", flush=True)
        for line in (*told.failures, *(f"{why}: {shown}" for why, shown in told.defects.items())):
            print(f"        {line}", flush=True)
    for said, names in (("", clean), (", with the check of order off", unordered)):
        print(f"{len(names)} with parity{said}: {', '.join(sorted(names))}")
    return 1 if failed else 0


def _files(trees: list[Path], only: str) -> Iterator[tuple[str, Path, str]]:
    """Modules of cases, and the files of the trees that they are for."""
    for found in pkgutil.iter_modules(ascend_production.__path__):
        if found.name in OWN or only not in found.name:
            continue
        module = importlib.import_module(f"{ascend_production.__name__}.{found.name}")
        for tree in trees:
            for path in getattr(module, "FILES", ()):
                if (tree / path).is_file():
                    yield found.name, tree.resolve(), path


if __name__ == "__main__":
    sys.exit(main())
