"""`ReduceSum(y, x, ...)` and `Exp(y, x, n)` on LocalTensor<half>."""

from collections.abc import Iterator

from porter.ascend.kernels import calls, element, element_types
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

SUMS = ("ReduceSum", "WholeReduceSum", "BlockReduceSum", "RepeatReduceSum")
SAID_SUM = "a sum in half loses small terms from 2048 on and is infinite above 65504: "
SAID_EXP = "Exp in half is infinite from 11.1 on and has three digits: "
REMEDY = "Cast to float, compute, cast back"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    types = element_types(code)
    for at, given in calls(code, *SUMS, "Exp"):
        kinds = {element(code, *argument, types) for argument in given[:2]}
        if len(given) > 2 and kinds == {"half"}:
            said = SAID_EXP if code.tokens[at].text == "Exp" else SAID_SUM
            yield Match(code.tokens[at].span, message=said + REMEDY)
