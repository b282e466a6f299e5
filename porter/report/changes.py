"""What differs between two runs, each difference under its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.model import Status, Tree
from porter.report.facts import collect_remaining, counts, suite_of, verdict_line
from porter.run.record import RunRecord


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that two runs do not share; None where a run has no such thing."""

    what: str
    before: str | None
    after: str | None


def changes(before: RunRecord, after: RunRecord) -> tuple[Change, ...]:
    """Return the facts that differ, in the order of the stages."""
    old, new = dict(_facts(before)), dict(_facts(after))
    return tuple(
        Change(what, old.get(what), new.get(what))
        for what in dict.fromkeys((*old, *new))
        if old.get(what) != new.get(what)
    )


def _facts(record: RunRecord) -> Iterator[tuple[str, str]]:
    yield "source", record.source.written
    yield "commit", record.source.commit or record.source.version or record.source.digest
    yield "porter", record.porter_version
    yield "target", f"{record.target} {record.target_version}"
    patch = record.migration.patch
    if patch is not None:
        yield "patch", f"{patch.files} files, +{patch.added} -{patch.removed}"
    for unit in (*record.migration.units, *record.migration.cuda_units):
        yield f"unit {unit.path}", "compiles" if unit.ok else unit.diagnostics[0].message
    for one in collect_remaining(record):
        where = "" if one.shipped else " (scripts)"
        yield f"unresolved {one.what}{where}", f"{len(one.sites)} sites"
    for build in record.builds:
        yield f"build {build.cell}", build.reason or str(build.status)
    for title, source in (("source", True), ("target", False)):
        found = counts(suite_of(record, Tree.PATCHED, source))
        if found is not None:
            yield f"tests passed, {title}", str(found["passed"])
    comparison = record.verification.comparison
    for test in comparison.lost if comparison else ():
        yield f"test {test}", "lost"
    for result in record.verification.parity:
        if result.status is not Status.OK:
            yield f"parity {result.case} ({result.device})", str(result.status)
    yield "verdict", verdict_line(record)
