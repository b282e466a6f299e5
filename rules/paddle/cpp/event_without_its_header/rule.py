"""`torch::Event` in a file that never includes its header itself."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span
from porter.rules.includes import add_include, framework_headers

HEADER = "c10/core/Event.h"
NAMES = frozenset({"torch::Event", "c10::Event", "at::Event"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if HEADER in headers or not headers:
        return
    for name, first, last in unit.qualified():
        if name in NAMES:
            span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
            yield Match(span, add_include(unit, HEADER), name=name)
            return
