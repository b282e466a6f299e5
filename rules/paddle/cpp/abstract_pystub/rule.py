"""`m.impl_abstract_pystub("module", "context");` as a statement of its own."""

from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Span


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index in unit.find("impl_abstract_pystub", "("):
        found = unit.arguments(index + 1)
        if found is None or index < 2 or unit.tokens[index - 1].text != ".":
            continue
        end = found[1] + 1
        plain = unit.tokens[index - 2].kind is Kind.NAME and unit.tokens[end].text == ";"
        span = Span(unit.tokens[index - 2].span.start, unit.tokens[end].span.end)
        edits = (Edit(_whole_lines(unit, span), b""),) if plain else ()
        yield Match(span, edits, name="torch::Library::impl_abstract_pystub")


def _whole_lines(unit: Unit, span: Span) -> Span:
    """The whole lines of a statement, where nothing else stands on them."""
    start = unit.line_start(span.start).start
    end = unit.data.find(b"\n", span.end) + 1
    alone = not unit.data[start : span.start].strip() and end
    return Span(start, end) if alone and not unit.data[span.end : end].strip() else span
