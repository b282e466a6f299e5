"""`AT_CHECK(...)` in files that do not define it."""

import re
from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts

_FOR_OLD_TORCH = re.compile(rb"#[ \t]*define[ \t]+TORCH_CHECK\b[^\n]*")
_ASKED = re.compile(rb"#[ \t]*(?:define|undef|ifn?def)[ \t]+AT_CHECK\b|\bdefined[ \t(]+AT_CHECK\b")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if _ASKED.search(unit.data):
        return  # its own, or a word on which of the two torch has
    kept = [found.span() for found in _FOR_OLD_TORCH.finditer(unit.data)]
    for token in unit.tokens:
        at = token.span.start
        mentioned = token.kind is Kind.NAME and token.text == "AT_CHECK"
        if mentioned and not any(start <= at < end for start, end in kept):
            yield Match(token.span, (Edit(token.span, b"TORCH_CHECK"),), name="AT_CHECK")
