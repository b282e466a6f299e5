"""The data and the pages of what became of torch's operators under Paddle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT
from tests.operators.table import (
    ENOUGH,
    MOST_USED,
    Operator,
    Row,
    lines,
    operators,
    summary,
    table_of_rest,
)

DATA = ROOT / "tests" / "data" / "operators"
ROWS, USES = DATA / "replayed.json", DATA / "uses.json"
HEAD, BEFORE, FAULTS = (DATA / f"{name}.md" for name in ("head", "before", "mutants"))
# The other databases that are replayed: what an entry is called, and the page.
OTHERS = {
    "layers": ("layers", "layers.md"),
    "seconds": ("entries", "second-gradients.md"),
    "variants": ("entries", "special-values.md"),
}
PLANTED = """\
## Planted faults

Single faults planted in the pieces (`python -m tests.operators mutants`), each looked for by the
calls of the entries concerned, and by variants of these that the database does not make: an
argument left out, nan and infinity, zeros. A fault is found where a call that was as under torch
no longer is.
"""
PAGES = ROOT / "docs" / "reference"


def save_uses(counts: Mapping[str, int], roots: list[str]) -> None:
    DATA.mkdir(parents=True, exist_ok=True)
    known = {"roots": roots, "uses": dict(sorted(counts.items()))}
    USES.write_text(json.dumps(known, indent=0) + "\n", encoding="utf-8")


def save(rows: list[Row], path: Path = ROWS) -> None:
    DATA.mkdir(parents=True, exist_ok=True)
    said = ",\n".join(json.dumps(vars(row), separators=(",", ":")) for row in rows)
    path.write_text(f"[\n{said}\n]\n", encoding="utf-8")


def load_rows(path: Path) -> list[Row]:
    return [Row(**each) for each in json.loads(path.read_text(encoding="utf-8"))]


def load() -> tuple[list[Row], list[Operator], list[str]]:
    """The rows, the operators, the most used first, and where uses were counted."""
    rows = load_rows(ROWS)
    known = json.loads(USES.read_text(encoding="utf-8"))
    return rows, operators(rows, known["uses"]), known["roots"]


def texts() -> dict[Path, str]:
    """The pages by path, of the data in the tree."""
    rows, every, roots = load()
    used = [operator for operator in every if operator.uses][:MOST_USED]
    page = [
        HEAD.read_text(encoding="utf-8").format(roots=", ".join(roots), used=len(used)),
        "## Before\n",
        BEFORE.read_text(encoding="utf-8"),
        "## Now\n",
        *summary(rows, used),
        f"\n## The {len(used)} most used\n",
        f"Those below {ENOUGH:.0%} are marked. In columns of dtypes: the same, in percent.\n",
        *lines(used),
        "\n[All others](operators-others.md).\n",
        PLANTED,
        FAULTS.read_text(encoding="utf-8"),
    ]
    rest = [operator for operator in every if operator not in used]
    others = [
        "# Other operators of torch, called under Paddle\n",
        "What [operators](operators.md) says of those used most, of the others.\n",
        *lines(rest),
        "",
    ]
    return {
        PAGES / "operators.md": "\n".join(page),
        PAGES / "operators-others.md": "\n".join(others),
        **{PAGES / file: _text_of(name, what) for name, (what, file) in OTHERS.items()},
    }


def _text_of(name: str, what: str) -> str:
    head = (DATA / f"head_of_{name}.md").read_text(encoding="utf-8")
    return "\n".join([head, *table_of_rest(load_rows(DATA / f"{name}.json"), what), ""])
