"""`C10_THROW_ERROR(IndexError, m)`, whose error class Paddle lacks."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.includes import add_include, framework_headers

NEW = {"IndexError": "index_error", "ValueError": "value_error", "TypeError": "type_error"}
WITH_PYBIND = frozenset({"torch/extension.h", "torch/python.h"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    bound = any(header.startswith("pybind11/") for header, _ in unit.includes)
    bound = bound or bool(framework_headers(unit) & WITH_PYBIND)
    for index in unit.find("C10_THROW_ERROR", "("):
        found = unit.arguments(index + 1)
        if found is None or len(found[0]) != 2 or found[0][0][0] != found[0][0][1]:
            continue
        (kind, _), (first, _) = found[0]
        new = NEW.get(unit.tokens[kind].text)
        if new is None:
            continue
        head = Span(unit.tokens[index].span.start, unit.tokens[first].span.start)
        edits = [Edit(head, f"throw pybind11::{new}(".encode())]
        if not bound:
            edits += add_include(unit, "pybind11/pybind11.h")
        span = Span(head.start, unit.tokens[found[1]].span.end)
        yield Match(span, tuple(edits), name=f"c10::{unit.tokens[kind].text}")
