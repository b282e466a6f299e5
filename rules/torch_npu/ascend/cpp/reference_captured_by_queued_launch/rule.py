"""`RunOpApiV2("op", [&]() -> int { ... })`, also by a variable that holds the lambda."""

from collections.abc import Iterator

from porter.languages.cpp import Code, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

TAKERS = ("RunOpApi", "RunOpApiV2", "SetCustomHandler")
# What empties the queue before it returns; aclrtSynchronizeStream knows nothing of the queue.
WAITS = ("synchronize", "device_synchronize", "npuSynchronizeDevice", "MakeSureQueueEmpty")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    for at in code.places(*TAKERS):
        function = code.function_at(at)
        if code.tokens[at + 1].text != "(" or function is None:
            continue
        if any(at < place < function.closing for place in code.places(*WAITS)):
            continue
        for first, last in code.arguments(at + 1):
            opening = first if code.tokens[first].text == "[" else _lambda_at(code, at, first, last)
            if opening is None or opening not in code.pairs:
                continue
            captures = code.text(opening + 1, code.pairs[opening] - 1)
            span = Span(code.tokens[opening].start, code.tokens[code.pairs[opening]].end)
            if captures == "&":
                yield Match(span, (Edit(span, b"[=]"),))
            elif captures.startswith("&") or ",&" in captures:
                yield Match(span, safety=Safety.MANUAL)


def _lambda_at(code: Code, at: int, first: int, last: int) -> int | None:
    """Where the lambda begins that a variable of this function was made with."""
    function = code.function_at(at)
    if first != last or function is None:
        return None
    name = code.tokens[first].text
    for place in range(function.opening, at):
        words = [token.text for token in code.tokens[place : place + 3]]
        if words == [name, "=", "["]:
            return place + 2
    return None
