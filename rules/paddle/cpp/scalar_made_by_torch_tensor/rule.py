"""`torch::tensor(5, torch::kLong)`: a 0-D tensor of a scalar."""

import re
from collections.abc import Iterator

from porter.languages.cpp import Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

NAMES = frozenset({"torch::tensor", "at::tensor"})
NUMBER = re.compile(r"-?\s*[\w.']+|static_cast<[\w:\s]+>\s*\(.*\)|.*[.>](size|numel|dim)\(\w*\)")
DTYPE = re.compile(r"\bdtype\b|\bk[A-Z]\w*$|\boptions\(\)|\bscalar_type\(\)")
BY_HAND = (
    "Paddle exports no torch::tensor: make it with torch::from_blob(values.data(), {n}, "
    "options).clone(), or torch::full({}, scalar, options) where the value is one scalar of a "
    "stated dtype"
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for name, first, last in unit.qualified():
        called = name in NAMES and unit.tokens[last + 1 : last + 2]
        if not called or called[0].text != "(":
            continue
        found = unit.arguments(last + 1)
        if found is None:
            continue
        arguments, closing = found
        span = Span(unit.tokens[first].span.start, unit.tokens[closing].span.end)
        if (
            len(arguments) == 2
            and _is_scalar(unit, arguments[0])
            and _has_dtype(unit, arguments[1])
        ):
            yield Match(span, _as_full(unit, last), name=name)
        else:
            yield Match(span, (), BY_HAND, Safety.MANUAL, name)


def _is_scalar(unit: Unit, argument: tuple[int, int]) -> bool:
    first, last = argument
    text = unit.text(first, last)
    lone_name = first == last and unit.tokens[first].kind is Kind.NAME
    if lone_name:  # may be a vector
        return text in ("true", "false")
    whole = NUMBER.fullmatch(text) is not None and "{" not in text
    return whole and not any(unit.tokens[k].text in ("+", "?") for k in range(first, last))


def _has_dtype(unit: Unit, argument: tuple[int, int]) -> bool:
    return DTYPE.search(unit.text(*argument)) is not None


def _as_full(unit: Unit, last: int) -> tuple[Edit, ...]:
    after = unit.tokens[last + 1].span.end
    return (Edit(unit.tokens[last].span, b"full"), Edit(Span(after, after), b"{}, "))
