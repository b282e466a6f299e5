"""`TORCH_CHECK_EQ(a, b) << "message" << a;`"""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

OPERATORS = {
    "TORCH_CHECK_EQ": "==",
    "TORCH_CHECK_NE": "!=",
    "TORCH_CHECK_LT": "<",
    "TORCH_CHECK_LE": "<=",
    "TORCH_CHECK_GT": ">",
    "TORCH_CHECK_GE": ">=",
}
MANIPULATORS = frozenset({"endl", "flush", "hex", "dec", "setw", "setprecision", "boolalpha"})
STATEFUL = "a stream manipulator has no place among the arguments of TORCH_CHECK: format by hand"
Range = tuple[int, int]  # first and last token


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index, token in enumerate(unit.tokens[:-1]):
        if token.text not in OPERATORS or unit.tokens[index + 1].text != "(":
            continue
        found = unit.arguments(index + 1)
        if found is None or len(found[0]) != 2:
            continue
        parts = _stream_operands(unit, found[1])
        if not parts:
            continue
        whole = Span(token.span.start, unit.tokens[parts[-1][1]].span.end)
        if _has_manipulator(unit, parts):
            yield Match(whole, (), STATEFUL, Safety.MANUAL, token.text)
        else:
            left, right = found[0]
            edits = _edits(unit, index, left, right, parts)
            yield Match(whole, edits, name=token.text)


def _stream_operands(unit: Unit, closing: int) -> list[Range]:
    """The operands of each `<<` between the call and the `;`; none where brackets are odd."""
    parts: list[Range] = []
    depth = 0
    first = None
    for index in range(closing + 1, len(unit.tokens)):
        text = unit.tokens[index].text
        depth += (text in "([{") - (text in ")]}")
        if depth < 0 or (index == closing + 1 and text != "<<"):
            return []
        if depth == 0 and text in ("<<", ";"):
            if first is not None:
                parts.append((first, index - 1))
            if text == ";":
                return parts
            first = index + 1
    return []


def _has_manipulator(unit: Unit, parts: list[Range]) -> bool:
    inside = range(parts[0][0], parts[-1][1] + 1)
    return any(unit.tokens[index].text in MANIPULATORS for index in inside)


def _edits(
    unit: Unit, index: int, left: Range, right: Range, parts: list[Range]
) -> tuple[Edit, ...]:
    """`TORCH_CHECK_EQ(a, b) << m << n` to `TORCH_CHECK((a) == (b), m, n)`; operands unchanged."""
    operator = OPERATORS[unit.tokens[index].text]

    def gap(last: int, first: int, text: str) -> Edit:
        span = Span(unit.tokens[last].span.end, unit.tokens[first].span.start)
        return Edit(span, text.encode())

    opening, end = index + 1, unit.tokens[parts[-1][1]].span.end
    edits = [
        Edit(unit.tokens[index].span, b"TORCH_CHECK"),
        gap(opening, left[0], "("),
        gap(left[1], right[0], f") {operator} ("),
    ]
    # the bracket that closed the call now closes the right operand
    previous = right[1] + 1
    for first, last in parts:
        edits.append(gap(previous, first, ", "))
        previous = last
    return (*edits, Edit(Span(end, end), b")"))
