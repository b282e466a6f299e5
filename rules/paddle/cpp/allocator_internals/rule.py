"""`c10::StorageImpl` and what is made with it: memory that a tensor does not own."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span

SCOPES = ("c10::StorageImpl", "at::StorageImpl", "c10::Storage::", "at::Storage::")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for name, first, last in unit.full_names():
        if name.startswith(SCOPES):
            span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
            yield Match(span, name=name)
