"""Rows of a table from what `porter port --json` (or `migrate --json`) said of real repositories.

The patches of the runs have to be there still: lines are counted in them.
Usage: python -m tests.ports FILE.json ...
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

COLUMNS = (
    *("repository", "torch / patched torch / target", "unmodified tree, target"),
    *("lines outside of the unit", "new files", "unit"),
    *("minutes of the last round", "units of C++", "of CUDA", "verdict"),
)


def row(said: dict[str, Any]) -> str:
    """One line of the table."""
    source = said["source"]
    name = Path(source["written"].partition("#")[0]).name.replace("+", "/", 1)
    commit = f" {source['commit'][:7]}" if source["commit"] else ""
    lines = changed(Path(said["patch"]["path"])) if said["patch"]["path"] else Counter()
    outside = f"+{lines['outside +']} -{lines['outside -']}"
    minutes = sum(stage["seconds"] for stage in said["stages"]) / 60
    folder = f" `#{source['subdir']}`" if source["subdir"] else ""
    return (
        f"| {name}{folder}{commit} | {suites(said['tests'], 'source', 'patched_source', 'target')} "
        f"| {suites(said['tests'], 'unmodified')} | {outside} | {lines['new']} | {lines['unit']} "
        f"| {minutes:.1f} | {units(said, 'cpp')} | {units(said, 'cuda')} | {said['verdict']} |"
    )


def suites(tests: dict[str, Any], *keys: str) -> str:
    """How many tests passed in each cell."""
    cells = [tests.get(key) for key in keys]
    return " / ".join(str(cell["passed"]) if cell else "-" for cell in cells)


def units(said: dict[str, Any], kind: str) -> str:
    found = (said["units"] or {}).get(kind)
    return f"{found['compiled']}/{found['total']}" if found and found["total"] else "-"


def changed(patch: Path) -> Counter[str]:
    """Lines of a patch by place: `unit`, `outside +` and `outside -`; `new` files outside."""
    count: Counter[str] = Counter()
    inside = made = False
    for line in patch.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith(("+++ ", "--- ")):
            inside = "_porter_compat" in line or (inside and line.endswith("/dev/null"))
            count["new"] += line.startswith("+++ ") and made and not inside
            made = line == "--- /dev/null"
        elif line[:1] in ("+", "-"):
            count["unit" if inside else f"outside {line[0]}"] += 1
    return count


if __name__ == "__main__":
    table = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    table += [row(json.loads(Path(file).read_text(encoding="utf-8"))) for file in sys.argv[1:]]
    sys.stdout.write("\n".join([*table, ""]))
