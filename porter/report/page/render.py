"""The record as one HTML page that asks for nothing else: template, style and script are beside."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from porter.model import Verdict
from porter.report.facts import is_untouched, needs_fixes, verdict_line
from porter.report.page import matrix, sections
from porter.report.page.changes import diff
from porter.report.page.tables import cut
from porter.report.pull_request import command
from porter.report.sources import Sources
from porter.run.record import RunRecord

FOLDER = Path(__file__).parent
FEW = 8  # rows or hunks that need no search
NOTES = 20  # each cut as cells of tables are


def page(record: RunRecord, sources: Sources) -> str:
    """Return the page; everything that comes from a repository is escaped by the template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        keep_trailing_newline=True,
        loader=FileSystemLoader(FOLDER),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["cut"] = cut
    before = [
        sections.remaining_table(record, sources),
        *([sections.rules(record, sources)] if len(record.analysis.findings) > FEW else []),
        sections.findings(record, sources),
    ]
    after = [
        sections.unresolved_table(record),
        sections.diagnostics(record, sources),
        sections.tests(record, sources),
        sections.divergences(record, sources),
        matrix.parity(record),
        sections.kernels(record),
        sections.unread_table(record),
    ]
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = environment.get_template("page.html").render(
        record=record,
        overall=record.verification.overall,
        kind=_kind(record),
        line=verdict_line(record),
        command=command(record) if record.migration.patch else "",
        fixes=needs_fixes(record),
        notes=record.notes,
        most_notes=NOTES,
        few=FEW,
        slowest=max((stage.seconds for stage in record.stages), default=0.0) or 1.0,
        before=[each for each in before if each.total],
        diff=diff(record, sources),
        after=[each for each in after if each.total],
        empty=[each for each in (*before, *after) if not each.total],
        plot_box=(matrix.WIDTH, matrix.HEIGHT, matrix.TOLERANCE),
        style=(FOLDER / "page.css").read_text(encoding="utf-8"),
        script=script,
        digest=digest,
    )
    return text.encode(errors="replace").decode()  # what no encoding has: halves of characters


def _kind(record: RunRecord) -> str:
    """Return the colour of the verdict."""
    overall = record.verification.overall
    if overall is None:
        return "ok" if is_untouched(record) else "unsure"
    return {Verdict.PORTED: "ok", Verdict.STUCK: "bad"}.get(overall.verdict, "unsure")
