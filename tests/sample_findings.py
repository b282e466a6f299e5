"""Draw findings (or residue) of a run by a published seed, with their source, to judge by hand.

Usage: python -m tests.sample_findings DOCUMENT.json TREE [--count 40] [--seed 20261121] [--residue]
DOCUMENT is what `porter analyze SOURCE --json` (or migrate, for --residue) printed; TREE is the
folder it is about: `base` or `tree` of the run.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

SEED = 20261121
CONTEXT = 2  # lines shown before and after


def draw(entries: list[dict[str, object]], kind: str, count: int, seed: int) -> list[dict]:  # type: ignore[type-arg]
    """The same entries for the same list, in whatever order it comes."""
    keys = ("path", "line", "column", kind)
    ordered = sorted(entries, key=lambda e: [(isinstance(e[k], str), e[k]) for k in keys])
    return random.Random(seed).sample(ordered, min(count, len(ordered)))


def excerpt(path: Path, line: int) -> str:
    """The lines about a place, numbered."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    first, last = max(1, line - CONTEXT), min(len(lines), line + CONTEXT)
    return "\n".join(
        f"{'>' if n == line else ' '}{n:6} {lines[n - 1][:160]}" for n in range(first, last + 1)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--residue", action="store_true", help="draw residue, not findings")
    options = parser.parse_args()
    document = json.loads(options.document.read_text())
    kind = "name" if options.residue else "rule"
    left = [*document["residue"], *document["scripts"]["residue"]]
    entries = left if options.residue else document["findings"]
    print(f"{len(entries)} entries, seed {options.seed}")
    for number, entry in enumerate(draw(entries, kind, options.count, options.seed), 1):
        what = entry.get("message") or entry.get("reason")
        safety = entry.get("safety", entry.get("state", ""))
        print(f"\n{number}. {entry[kind]} [{safety}] {entry['path']}:{entry['line']}: {what}")
        print(excerpt(options.tree / entry["path"], int(entry["line"])))


if __name__ == "__main__":
    main()
