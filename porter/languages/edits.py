"""Apply findings to bytes: a whole finding or none of it, overlaps left for the next pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.model import Edit, Finding


@dataclass(frozen=True, slots=True)
class Applied:
    """The new bytes, what went into them, and what waits for the next pass."""

    data: bytes
    applied: tuple[Finding, ...]
    deferred: tuple[Finding, ...]


def apply(data: bytes, findings: Iterable[Finding]) -> Applied:
    """Apply the edits of findings, earliest first; identical edits are merged.

    A finding that overlaps one already taken is deferred, so that its finder
    sees the changed text before it acts.
    """
    taken: set[Edit] = set()
    applied: list[Finding] = []
    deferred: list[Finding] = []
    for finding in sorted(findings, key=lambda f: (f.span, f.rule)):
        new = [edit for edit in finding.edits if edit not in taken]
        if any(edit.span.overlaps(other.span) for edit in new for other in taken):
            deferred.append(finding)
            continue
        taken.update(new)
        applied.append(finding)
    return Applied(splice(data, taken), tuple(applied), tuple(deferred))


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Replace spans that do not overlap; the bytes between them stay as they are."""
    parts: list[bytes] = []
    end = 0
    for edit in sorted(edits):
        parts += [data[end : edit.span.start], edit.text]
        end = edit.span.end
    return b"".join([*parts, data[end:]])
