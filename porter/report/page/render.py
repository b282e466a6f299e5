"""The record as one HTML page that asks for nothing else: template, style and script are beside."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from porter.report.facts import needs_fixes, verdict_line
from porter.report.page import matrix, sections
from porter.report.page.changes import diff
from porter.report.page.tables import cut
from porter.report.pull_request import command
from porter.report.sources import Sources
from porter.run.record import RunRecord

FOLDER = Path(__file__).parent
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
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = environment.get_template("page.html").render(
        record=record,
        overall=record.verification.overall,
        line=verdict_line(record),
        command=command(record) if record.target else "",
        fixes=needs_fixes(record),
        notes=record.notes,
        most_notes=NOTES,
        slowest=max((stage.seconds for stage in record.stages), default=0.0) or 1.0,
        before=[sections.remaining_table(record, sources), sections.findings(record, sources)],
        diff=diff(record, sources),
        after=[
            sections.unresolved_table(record),
            sections.diagnostics(record, sources),
            sections.tests(record, sources),
            matrix.parity(record),
            sections.kernels(record),
            sections.unread_table(record),
        ],
        plot_box=(matrix.WIDTH, matrix.HEIGHT, matrix.TOLERANCE),
        style=(FOLDER / "page.css").read_text(encoding="utf-8"),
        script=script,
        digest=digest,
    )
    return text.encode(errors="replace").decode()  # what no encoding has: halves of characters
