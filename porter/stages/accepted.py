"""What the user knows already: a baseline of accepted findings, and comments that suppress."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path

from porter.migrate import baseline
from porter.model import Finding, Suppression, Unused
from porter.run.record import Analysis, RunRecord
from porter.run.store import Run
from porter.stages import session


def accept(found: Analysis, root: Path) -> Analysis:
    """Mark what the run's baseline accepts of an analysis, and keep what of it is not there."""
    entries = found.scope.accepted
    if not entries:
        return found
    both = (*found.findings, *found.ascend)
    marked, unused = baseline.mark(both, entries, lambda path: _read(root / path))
    missing, no_names = baseline.mark_missing(found.missing, entries)
    return dataclasses.replace(
        found,
        findings=marked[: len(found.findings)],
        ascend=marked[len(found.findings) :],
        missing=missing,
        unused_accepted=(*unused, *no_names),
    )


def accept_open(
    kept: RunRecord, left: tuple[Finding, ...], patched: Mapping[str, bytes | None], root: Path
) -> tuple[Finding, ...]:
    """Mark those of the findings left in a patched tree that the baseline accepts."""

    def read(path: str) -> bytes | None:
        return patched[path] if path in patched else _read(root / path)

    return baseline.mark(left, kept.analysis.scope.accepted, read)[0]


def encode_baseline(run: Run, kept: RunRecord) -> str:
    """Write what accepts all that was found."""
    root = session.root(run, kept, patched=False)
    findings = (*kept.analysis.findings, *kept.analysis.ascend)
    return baseline.encode(findings, kept.analysis.missing, lambda path: _read(root / path))


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def find_unused(found: Iterable[Suppression], active: Iterable[str]) -> tuple[Unused, ...]:
    """The comments that suppress nothing, with these rules in force."""
    comments = tuple(found)
    if not comments:
        return ()
    from porter.rules import suppressed
    from porter.rules.loader import known_rules

    return tuple(suppressed.find_unused(comments, frozenset(active), known_rules()))
