"""The diff of the page: hunks with their reasons, as many as fit."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from porter.model import Change
from porter.report.hunks import Hunk, hunks, reasons
from porter.report.page.tables import WIDEST, cut
from porter.report.rows import count, together
from porter.report.sources import Sources
from porter.run.record import RunRecord

FIRST = 20  # hunks at first paint, and
LINES = 400  # lines of these; of one hunk at any time
MOST = 1_000_000  # bytes of JSON
KINDS = {"+": "add", "-": "del"}

Shown = dict[str, object]


@dataclass(frozen=True, slots=True)
class Diff:
    """The hunks that are shown; all of them in JSON, and what is left out in words."""

    first: tuple[Shown, ...]
    rows: tuple[str, ...]
    total: int
    said: str

    @property
    def json(self) -> str:
        return f"[{','.join(self.rows)}]"


def diff(record: RunRecord, sources: Sources) -> Diff:
    """Return the patch without the files of a vendored unit, which nobody has to review."""
    from jinja2.utils import htmlsafe_json_dumps

    every = list(hunks(sources.diff()))
    own = [hunk for hunk in every if together(hunk.path) == hunk.path]
    first: list[Shown] = []
    rows: list[str] = []
    size, lines = 0, 0
    for hunk, changes in reasons(record, own):
        item = _item(hunk, changes)
        text = str(htmlsafe_json_dumps(item, separators=(",", ":")))
        size += len(text)
        if size > MOST:
            break
        rows.append(text)
        lines += min(len(hunk.lines), LINES)
        if len(first) == len(rows) - 1 < FIRST and lines <= LINES:
            first.append(item)
    return Diff(tuple(first), tuple(rows), len(own), _summary(record, every, own))


def _summary(record: RunRecord, every: Sequence[Hunk], own: Sequence[Hunk]) -> str:
    patch = record.migration.patch
    if patch is None:
        return "Not migrated yet."
    said = f"{count(patch.files, 'file')}, +{patch.added} -{patch.removed}."
    if not every and patch.files:
        said += " The patch is no longer in the run's folder."
    unit = len(every) - len(own)
    return f"{said} {count(unit, 'hunk')} of the vendored unit: `porter patch`." if unit else said


def _item(hunk: Hunk, changes: Sequence[Change]) -> Shown:
    """Return a hunk as the template and the script read it."""
    lines = [cut(line, WIDEST) for line in hunk.lines[:LINES]]
    if len(hunk.lines) > LINES:
        lines.append(f" … {len(hunk.lines) - LINES} more lines: `porter patch`")
    grouped = itertools.groupby(lines, key=lambda line: KINDS.get(line[:1], ""))
    return {
        "f": cut(hunk.path),
        "n": hunk.before[0],
        "w": [[cut(c.reason), c.rule, cut(c.until.replace("`", ""))] for c in changes],
        "b": [[kind, "".join(f"{line}\n" for line in group)] for kind, group in grouped],
    }
