"""`ReduceSum(y, x, ...)`, and `Add(sum, sum, x, n)` in a loop, on LocalTensor<half>."""

from collections.abc import Iterator

from porter.ascend.kernels import calls, element, element_types
from porter.languages.cpp import Code, Unit
from porter.model import Match, ProjectFacts

SAID_SUM = "ReduceSum in half loses small terms and is infinite above 65504: "
SAID_ADD = "a running sum in half loses what is smaller than its last bit: from 2048 on, ones: "
REMEDY = "Cast to float, compute, cast back"
LOOPS = ("for", "while")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    types = element_types(code)
    for at, given in calls(code, "ReduceSum", "Add"):
        kinds = {element(code, *argument, types) for argument in given[:2]}
        if len(given) < 4 or kinds != {"half"}:
            continue
        if code.tokens[at].text == "ReduceSum":
            yield Match(code.tokens[at].span, message=SAID_SUM + REMEDY)
        elif _accumulates(code, given) and _is_in_loop(code, at):
            yield Match(code.tokens[at].span, message=SAID_ADD + REMEDY)


def _accumulates(code: Code, given: list[tuple[int, int]]) -> bool:
    """`Add(sum, sum, x, n)`: a whole tensor, and another one that is added to it."""
    first, second, third = (code.text(*argument) for argument in given[:3])
    return first == second and first.isidentifier() and third.partition("[")[0] != first


def _is_in_loop(code: Code, at: int) -> bool:
    function = code.function_at(at)
    for place in range(function.opening, at) if function else ():
        if code.tokens[place].text in LOOPS and place + 1 in code.pairs:
            start = code.pairs[place + 1] + 1
            if start <= at <= code.pairs.get(start, start):
                return True
    return False
