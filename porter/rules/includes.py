"""Adding an #include to a C++ file: after the framework's own, outside of their conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, Span

FRAMEWORK = ("torch/", "ATen/", "c10/")
OPENS = frozenset({"#if", "#ifdef", "#ifndef"})


def framework_headers(unit: Unit) -> frozenset[str]:
    """The headers of torch that a file includes itself."""
    if not any(name.encode() in unit.data for name in FRAMEWORK):
        return frozenset()
    return frozenset(name for name, _ in unit.includes if name.startswith(FRAMEWORK))


def include_at_first_use(unit: Unit, names: Collection[str], header: str) -> Iterator[Match]:
    """The first use of one of these qualified names, and the edit that includes a header."""
    for name, first, last in unit.full_names():
        if name in names:
            span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
            yield Match(span, add_include(unit, header), name=name)
            return


def add_include(unit: Unit, header: str, beside: tuple[str, ...] = FRAMEWORK) -> tuple[Edit, ...]:
    """The edit that includes a header behind the last of torch's, or of those that begin so, that
    is under the fewest conditions; nothing where the file includes none."""
    places = list(_depths(unit, beside))
    if not places:
        return ()
    least = min(depth for depth, _ in places)
    last = max(end for depth, end in places if depth == least)
    newline = unit.data.find(b"\n", last)
    if newline == -1:
        return (Edit(Span(len(unit.data), len(unit.data)), unit.encode(f"\n#include <{header}>")),)
    return (Edit(Span(newline + 1, newline + 1), unit.encode(f"#include <{header}>\n")),)


def _depths(unit: Unit, beside: tuple[str, ...]) -> list[tuple[int, int]]:
    """(conditions around it, end) of each #include of headers that begin so."""
    depth = 0
    found = []
    for token in unit.tokens:
        if token.kind is Kind.DIRECTIVE:
            depth += (token.text in OPENS) - (token.text == "#endif")
        elif token.kind is Kind.HEADER and token.text[1:-1].startswith(beside):
            found.append((depth, token.span.end))
    return found
