"""`x * (27 + x*x) / (27 + 9*x*x)` and `x - x^3/3 + 2x^5/15` in a kernel."""

import re
from collections.abc import Iterator

from porter.ascend.kernels import is_kernel
from porter.languages.cpp import Kind, Unit
from porter.model import Match, ProjectFacts

EXACT = "AscendC::Tanh, or 1 - 2/(Exp(2x) + 1) in float, is not"
FRACTION = f"x(27 + x^2)/(27 + 9x^2) is off tanh by up to 0.024 below |x| = 3, more above: {EXACT}"
SERIES = f"three terms of its series are off tanh by 0.04 at 1 and by 0.5 at 1.5: {EXACT}"
_FLOAT = re.compile(r"([0-9]+\.[0-9]*)[fF]?")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not is_kernel(unit):
        return
    code = unit.code
    for function in code.functions:
        numbers: dict[float, int] = {}
        for at in range(function.opening, function.closing):
            match = _FLOAT.fullmatch(code.tokens[at].text)
            if code.tokens[at].kind is Kind.NUMBER and match:
                numbers.setdefault(round(float(match[1]), 3), at)
        if 27.0 in numbers and 9.0 in numbers:
            yield Match(code.tokens[numbers[27.0]].span, message=FRACTION)
        elif 0.333 in numbers and 0.133 in numbers:
            yield Match(code.tokens[numbers[0.333]].span, message=SERIES)
