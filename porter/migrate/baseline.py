"""Accepted findings: a file of them, by rule, path and what the site reads like, so that lines may
move; and which findings they accept."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from porter.errors import UsageError
from porter.languages.data import read_table
from porter.model import Accepted, Finding, Missing

SCHEMA = 1  # another one where a key goes or means something else
MISSING = "missing"  # the rule of a name that the target lacks
LONGEST = 160  # characters of a site that are written as they are
HINT = "write it again: `porter analyze --write-baseline FILE`"
Read = Callable[[str], bytes | None]  # the bytes of a file, by its path
Key = tuple[str, str, str]


def load(path: Path) -> tuple[Accepted, ...]:
    """Read a baseline. Raises UsageError."""
    try:
        written = read_table(path.read_bytes())
        if written.get("schema") != SCHEMA:
            raise ValueError(f"no baseline of schema {SCHEMA}")
        return tuple(_read_entry(entry) for entry in written["findings"])
    except OSError as error:
        raise UsageError(f"no baseline at {path}: {error.strerror}", hint=HINT) from error
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{path} is no baseline: {error}", hint=HINT) from error


def _read_entry(entry: Any) -> Accepted:
    found = Accepted(**entry)
    if not all(isinstance(text, str) for text in (found.rule, found.path, found.text)):
        raise ValueError("rule, path and text are strings")
    if not isinstance(found.count, int) or found.count < 1:
        raise ValueError("count is an integer from 1")
    return found


def encode(findings: Iterable[Finding], missing: Iterable[Missing], read: Read) -> str:
    """Write what accepts all of these."""
    counts = Counter(_keys(tuple(findings), read))
    counts.update((MISSING, "", item.name) for item in missing)
    entries = [
        dataclasses.asdict(Accepted(rule=rule, path=path, text=text, count=count))
        for (rule, path, text), count in sorted(counts.items())
    ]
    return json.dumps({"schema": SCHEMA, "findings": entries}, indent=2, ensure_ascii=False) + "\n"


def mark(
    findings: Sequence[Finding], accepted: Iterable[Accepted], read: Read
) -> tuple[tuple[Finding, ...], tuple[Accepted, ...]]:
    """Mark the findings that are accepted, the first ones in a file where it has more that read
    alike than are; and give the entries, or the number of them, that no finding is like."""
    left = Counter({_key(one): one.count for one in accepted if one.rule != MISSING})
    if not left:
        return tuple(findings), ()
    marked = []
    for finding, key in zip(findings, _keys(findings, read), strict=True):
        taken = left[key] > 0
        left[key] -= taken
        marked.append(dataclasses.replace(finding, accepted=taken))
    return tuple(marked), _rest(left)


def mark_missing(
    missing: Iterable[Missing], accepted: Iterable[Accepted]
) -> tuple[tuple[Missing, ...], tuple[Accepted, ...]]:
    """Mark the names that are accepted, and give the entries that are of no such name."""
    names = {one.text for one in accepted if one.rule == MISSING}
    marked = tuple(dataclasses.replace(item, accepted=item.name in names) for item in missing)
    return marked, _rest(Counter((MISSING, "", n) for n in names - {i.name for i in marked}))


def _rest(left: Counter[Key]) -> tuple[Accepted, ...]:
    entries = sorted((key, count) for key, count in left.items() if count > 0)
    return tuple(Accepted(rule=r, path=p, text=t, count=count) for (r, p, t), count in entries)


def _key(one: Accepted) -> Key:
    return one.rule, one.path, one.text


def _keys(findings: Sequence[Finding], read: Read) -> list[Key]:
    data: dict[str, bytes | None] = {}
    for path in {finding.path for finding in findings}:
        data[path] = read(path)
    return [(f.rule, f.path, _site(data[f.path], f)) for f in findings]


def _site(data: bytes | None, finding: Finding) -> str:
    """The lines that a finding touches, without what an editor or a formatter changes: spaces."""
    if data is None:
        return finding.message
    start = data.rfind(b"\n", 0, finding.span.start) + 1
    end = data.find(b"\n", max(finding.span.start, finding.span.end - 1))
    text = data[start : len(data) if end == -1 else end].decode("utf-8", "replace")
    said = " ".join(text.split())
    if len(said) <= LONGEST:
        return said
    return f"{said[:LONGEST]} ... sha256 {hashlib.sha256(said.encode()).hexdigest()[:16]}"
