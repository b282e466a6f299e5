"""Comments that suppress findings: `# porter: ignore` and `# porter: ignore[rule, ...]`."""

from __future__ import annotations

import re

from porter.languages.python import Module
from porter.languages.read import Document
from porter.model import Span

_IGNORE = re.compile(rb"(?://|#|/\*)[^\n]*?porter: ignore(?:\[([^\]\n]*)\])?")


def find_ignored_lines(document: Document) -> dict[int, set[str]]:
    """Return the rules that each such comment names by its line; an empty set is every rule."""
    if isinstance(document, Module):
        return document.ignores_by_line
    out: dict[int, set[str]] = {}
    for match in _IGNORE.finditer(document.data):
        rules = (match.group(1) or b"").decode("utf-8", "replace")
        out[document.position(match.start())[0]] = {
            r.strip() for r in rules.split(",") if r.strip()
        }
    return out


def is_suppressed(rule: str, span: Span, document: Document, ignored: dict[int, set[str]]) -> bool:
    """Return whether a line that the span touches has a comment for this rule."""
    names = {rule, rule.rpartition("/")[2]}
    first, _ = document.position(span.start)
    last, _ = document.position(max(span.start, span.end - 1))
    on = [ignored[line] for line in range(first, last + 1) if line in ignored]
    return any(not rules or rules & names for rules in on)
