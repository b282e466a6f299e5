"""The record as the summary of a CI job: a short page of Markdown ($GITHUB_STEP_SUMMARY)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from porter.model import Status, place
from porter.report.facts import is_untouched, project_of, verdict_line
from porter.report.markdown import changes, evidence, in_scripts, remaining_list
from porter.report.rows import cell, count, row, section, short, tally
from porter.report.sides import Side, compare_tests
from porter.run.record import RunRecord

MOST = 500_000  # characters: a page of 1 MiB is refused
LISTED = 10  # lost tests, failed cases
MARKS = {Status.OK: "✅", Status.FAILED: "❌"}


def summary(record: RunRecord) -> str:
    """Return what a reader of the job wants at a glance; tables of details are folded."""
    name, target = record.source.written, f"{record.target} {record.target_version}"
    if is_untouched(record):
        return f"## porter: `{name}`\n\n{verdict_line(record)}\n"
    overall = record.verification.overall
    parts = [
        f"## porter: `{name}` for {target}: {overall.verdict.name if overall else 'no verdict'}",
        _verdicts(record),
        _numbers(record),
        remaining_list(record),
        _failures(record),
        _folded("Pipeline", _pipeline(record)),
        _folded("Findings by rule", _findings(record)),
        _folded("Changes and reasons", changes(record)),
        _folded("Evidence", evidence(record)),
        _folded("Scripts, examples and notebooks", in_scripts(record)),
    ]
    kept: list[str] = []
    for part in filter(None, parts):
        if sum(map(len, kept)) + len(part) > MOST:
            kept.append(f"More is left out here: `porter report --run {record.id}`")
            break
        kept.append(part)
    return "\n\n".join(kept) + "\n"


def _verdicts(record: RunRecord) -> str:
    rows = [
        row(one.device, f"**{one.verdict.name}**", cell("; ".join(one.reasons)))
        for one in record.verification.verdicts
    ]
    unmodified = record.verification.unmodified
    if unmodified is not None:
        said = f"**{unmodified.verdict.name}**"
        rows.append(row("without the patch", said, cell("; ".join(unmodified.reasons))))
    return section("Verdict", ("device", "verdict", "because"), rows)


def _numbers(record: RunRecord) -> str:
    """One line each for findings, patch, tests and parity cases."""
    rows = []
    if found := Counter(f.safety.label for f in record.analysis.findings):
        rows.append(row("findings", ", ".join(f"{n} {name}" for name, n in found.items())))
    if record.missing:
        left = sum(not one.answer for one in record.missing)
        said = f"{len(record.missing)}, {left} without a rule or polyfill"
        if project := project_of(record):
            said = f"{len(record.missing)}, none of them in {project}/"
        rows.append(row("missing or incompatible names", said))
    patch = record.migration.patch
    if patch is not None:
        said = f"{count(patch.files, 'file')}, +{patch.added} -{patch.removed}"
        rows.append(row("patch", said))
    if tests := Counter(one.side for one in compare_tests(record)):
        said = ", ".join(f"{tests[side]} {side}" for side in Side if tests[side])
        rows.append(row("tests that pass under", said))
    if cases := Counter(str(one.status) for one in record.verification.parity):
        rows.append(row("parity cases", ", ".join(f"{n} {name}" for name, n in cases.items())))
    return section("Numbers", ("what", "result"), rows)


def _failures(record: RunRecord) -> str:
    """The tests that pass under the source framework only, with the first error of each."""
    lost = [one for one in compare_tests(record) if one.side is Side.SOURCE]
    rows = []
    for one in lost[:LISTED]:
        raised = one.failure
        at = cell(f"`{raised.path}:{raised.line}`") if raised and raised.path else ""
        rows.append(row(f"`{cell(one.name)}`", cell(one.message), at))
    more = f"\n\nand {len(lost) - LISTED} more" if len(lost) > LISTED else ""
    return section("Lost tests", ("test", "why", "first error at"), rows) + more


def _pipeline(record: RunRecord) -> str:
    rows: Iterator[str] = (
        row(
            f"{MARKS.get(stage.status, '➖')} {stage.name}",
            f"{stage.seconds:.1f}",
            cell(stage.reason),
        )
        for stage in record.stages
    )
    return section("Pipeline", ("stage", "seconds", "reason"), rows)


def _findings(record: RunRecord) -> str:
    rows = (
        row(
            number,
            f"`{short(one.rule)}`",
            one.safety.label,
            cell(one.message),
            cell(f"`{path}:{line}`"),
        )
        for number, one in tally(record.analysis.findings, lambda found: found.rule)
        for path, line in [place(one)]
    )
    return section("Findings", ("places", "rule", "safety", "message", "first at"), rows)


def _folded(title: str, text: str) -> str:
    """Put a section behind its title; nothing stays nothing."""
    _, _, body = text.partition("\n\n")
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>" if body else ""
