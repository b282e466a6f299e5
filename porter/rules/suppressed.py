"""Comments that suppress findings, `porter: ignore` and `porter: ignore[rule, ...]`, and those
that suppress nothing."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator

from porter.languages.read import Document
from porter.model import Finding, Span, Suppression, Unused

EVERY = ""  # the rule of a comment that names none


def is_suppressed(rule: str, span: Span, document: Document) -> bool:
    """Return whether a line that the span touches has a comment for this rule; the document
    remembers which."""
    ignored = document.ignores_by_line
    if not ignored:
        return False
    names = {rule, short(rule)}
    first, _ = document.position(span.start)
    last, _ = document.position(max(span.start, span.end - 1))
    lines = [line for line in range(first, last + 1) if line in ignored]
    found = [line for line in lines if not ignored[line] or ignored[line] & names]
    document.suppressed.update((line, rule) for line in found)
    return bool(found)


def drop_suppressed(findings: Iterable[Finding], document: Document) -> list[Finding]:
    """Return the findings that no comment suppresses."""
    return [f for f in findings if not is_suppressed(f.rule, f.span, document)]


def list_suppressions(document: Document) -> tuple[Suppression, ...]:
    """List the comments of a file, with what they have suppressed so far."""
    return tuple(
        Suppression(
            path=document.path,
            line=line,
            rules=tuple(sorted(rules)),
            used=tuple(sorted(rule for at, rule in document.suppressed if at == line)),
        )
        for line, rules in sorted(document.ignores_by_line.items())
    )


def short(rule: str) -> str:
    """The last part of a rule's name."""
    return rule.rpartition("/")[2]


def find_unused(
    found: Iterable[Suppression], active: Collection[str], known: Collection[str]
) -> Iterator[Unused]:
    """Yield what of the comments suppresses nothing. A rule that is known and not active, as it is
    of another target, may have something to suppress there: it is left out. The same comment may be
    found several times, by scans with different rules."""
    merged: dict[tuple[str, int, int, tuple[str, ...]], set[str]] = {}
    for one in found:
        merged.setdefault((one.path, one.cell, one.line, one.rules), set()).update(one.used)
    active_names, names = _names(active), _names(known)
    for (path, cell, line, rules), used in sorted(merged.items()):
        for rule in rules or (EVERY,):
            if rule in _names(used) or (used and rule == EVERY):
                continue
            if rule == EVERY or rule in active_names:
                reason = "suppresses nothing"
            elif rule not in names:
                close = difflib.get_close_matches(rule, sorted(names), n=1)
                reason = "no such rule" + (f": did you mean {close[0]}?" if close else "")
            else:
                continue
            yield Unused(path=path, line=line, rule=rule, reason=reason, cell=cell)


def _names(rules: Iterable[str]) -> set[str]:
    return {name for rule in rules for name in (rule, short(rule))}
