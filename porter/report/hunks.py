"""The hunks of a patch, each with why it is there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from porter.model import Change, Finding
from porter.run.record import RunRecord

_RANGES = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A hunk of a unified diff; ranges are (first line, number of lines)."""

    path: str  # after the patch; of a deleted file, before it
    before: tuple[int, int]
    after: tuple[int, int]
    lines: tuple[str, ...]

    def holds(self, line: int) -> bool:
        """Whether a line of the file as it came stands in this hunk."""
        first, length = self.before
        return first <= line < first + max(length, 1)


def hunks(diff: str) -> Iterator[Hunk]:
    """Yield the hunks of a diff that git wrote, in its order."""
    path, old = "", ""
    lines = iter(diff.split("\n"))
    for line in lines:
        if line.startswith("--- "):
            old = _name(line[4:])
        elif line.startswith("+++ "):
            path = _name(line[4:]) or old
        elif found := _RANGES.match(line):
            first, length, new, new_length = (int(n) if n else 1 for n in found.groups())
            body = tuple(_body(lines, length, new_length))
            yield Hunk(path=path, before=(first, length), after=(new, new_length), lines=body)


def _name(written: str) -> str:
    """Return a path without git's quotes and its `a/` or `b/`; empty for /dev/null."""
    name = written.rstrip("\t")
    if name.startswith('"'):
        data = name[1:-1].encode("latin-1", "replace").decode("unicode_escape")
        name = data.encode("latin-1", "replace").decode(errors="replace")
    return "" if name == "/dev/null" else name[2:]


def _body(lines: Iterator[str], before: int, after: int) -> Iterator[str]:
    """Yield lines until both sides are complete: a removed `-- x` looks like a header."""
    while before > 0 or after > 0:
        line = next(lines, None)
        if line is None:
            return
        before -= not line.startswith(("+", "\\"))
        after -= not line.startswith(("-", "\\"))
        yield line


def reasons(record: RunRecord, found: Iterable[Hunk]) -> Iterator[tuple[Hunk, tuple[Change, ...]]]:
    """Yield hunks with the changes of their file whose rule found something in the hunk; without
    any, with those that no finding of the tree as it came places."""
    patch = record.migration.patch
    changes = dict(patch.changes) if patch else {}
    prefix = f"{record.source.subdir}/" if record.source.subdir else ""
    edited: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in record.analysis.findings:
        if finding.edits:
            edited[prefix + finding.path].append(finding)
    for hunk in found:
        every, placed = changes.get(hunk.path, ()), edited[hunk.path]
        here = {f.rule for f in placed if hunk.holds(f.line)}
        certain = tuple(change for change in every if change.rule in here)
        rest = {f.rule for f in placed}
        yield hunk, certain or tuple(c for c in every if c.rule not in rest) or tuple(every)


def line_before(found: Sequence[Hunk], path: str, line: int) -> int:
    """Return where a line of the patched tree was before; for a new one, the line before it."""
    moved = 0
    for hunk in _hunks_of(found, path):
        (first, length), (new, new_length) = hunk.before, hunk.after
        if line < new:
            break
        if line < new + new_length:
            return max(1, _old_line(hunk, line))
        moved = first + length - new - new_length
    return max(1, line + moved)


def _hunks_of(found: Iterable[Hunk], path: str) -> Iterator[Hunk]:
    return (hunk for hunk in found if hunk.path == path)


def _old_line(hunk: Hunk, line: int) -> int:
    old, new = hunk.before[0], hunk.after[0]
    for text in hunk.lines:
        if new == line and not text.startswith(("-", "\\")):
            return old if not text.startswith("+") else old - 1
        old += not text.startswith(("+", "\\"))
        new += not text.startswith(("-", "\\"))
    return old
