"""`options.pinned_memory(true)`: compiles, and the memory is not pinned."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index in unit.find("pinned_memory", "(", "true", ")"):
        start, end = unit.tokens[index].span.start, unit.tokens[index + 3].span.end
        yield Match(Span(start, end), name="c10::TensorOptions::pinned_memory")
