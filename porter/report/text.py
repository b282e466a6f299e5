"""The record for people, on a terminal: from what the repository is to what the port amounts to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porter.report import analysis, ascend
from porter.report.rows import plain
from porter.run.record import RunRecord
from porter.targets import is_relevant

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(record: RunRecord, only: str | None = None) -> list[RenderableType]:
    """What to show after the stage `only`, or after all of them."""
    facts = record.facts
    if facts is not None and not is_relevant(record.target, facts):
        said = f"[bold]{plain(record.source.written)}[/bold]: nothing to port, torch is not used"
        return [said, *(ascend.text(record) if only in (None, "analyze") else [])]
    parts: list[RenderableType] = []
    if only in (None, "analyze"):
        unpatched = only == "analyze" or record.migration.patch is None  # else the patch shows it
        parts += [*analysis.repository(record), *analysis.fine(record)]
        parts += analysis.edit_rows(record) if unpatched else []
        parts += [*analysis.missing_rows(record), *analysis.perhaps(record)]
        parts += analysis.manual_rows(record) if unpatched else []
        parts += [*analysis.document_rows(record), *ascend.text(record)]
    if only == "analyze":
        return [*parts, *_notes(record)]
    from porter.report import results

    if only == "migrate":
        parts += analysis.unread_rows(record)
    if only in (None, "migrate"):
        parts += [*results.patch(record), *results.units(record), *results.remains(record)]
    if only in (None, "build", "verify"):
        parts += results.builds(record)
    if only in (None, "verify"):
        parts += [*results.imports(record), *results.tests(record), *results.parity(record)]
    parts += _notes(record)
    if only in (None, "verify"):
        parts += results.verdict(record)
    return parts


def _notes(record: RunRecord) -> list[RenderableType]:
    notes: list[RenderableType] = [f"[yellow]note:[/yellow] {plain(n)}" for n in record.notes]
    return ["", *notes] if notes else []
