"""`DataCopy(x, gm, n); Add(y, x, x, n);` with nothing between that waits."""

import re
from collections.abc import Iterator

from porter.ascend.kernels import calls
from porter.languages.cpp import Code, Function, Kind, Unit
from porter.model import Match, ProjectFacts

ARITHMETIC = ("Add", "Sub", "Mul", "Div", "Adds", "Muls", "Max", "Min", "Maxs", "Mins", "Axpy")
OF_ONE = ("Abs", "Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Relu", "Cast", "Tanh", "Sin", "Cos")
REDUCING = ("ReduceSum", "ReduceMax", "ReduceMin", "WholeReduceSum", "Compare", "Select", "Brcb")
VECTOR = frozenset((*ARITHMETIC, *OF_ONE, *REDUCING))
WAITS = re.compile(r"que|flag|wait|sync|barrier|event|fence|mte|pipe", re.IGNORECASE)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    for at, given in calls(code, "DataCopy", "DataCopyPad"):
        function = code.function_at(at)
        if function is None or len(given) < 3 or given[0][0] != given[0][1]:
            continue
        name = code.tokens[given[0][0]].text
        if _is_local(code, function, name) and (used := _find_first_use(code, function, at, name)):
            yield Match(code.tokens[used].span)


def _is_local(code: Code, function: Function, name: str) -> bool:
    """Whether the function itself made the tensor in local memory."""
    for at in range(function.opening, function.closing):
        words = [t.text for t in code.tokens[at : at + 2]]
        if words == [name, "="]:
            made = {t.text for t in code.tokens[at : at + 12]}
            return bool(made & {"Get", "AllocTensor"})
    return False


def _find_first_use(code: Code, function: Function, at: int, name: str) -> int | None:
    """The first vector operation on the tensor, where nothing before it could have waited."""
    at = code.pairs.get(at + 1, at)
    while at < function.closing:
        token = code.tokens[at]
        if token.kind is Kind.NAME and WAITS.search(token.text):
            return None
        if token.text in ("}", "return"):
            return None
        if token.text in VECTOR and code.tokens[at + 1].text in ("(", "<"):
            opening = next(
                (i for i in range(at + 1, at + 12) if code.tokens[i].text == "("), None
            )  # after template arguments
            sources = code.arguments(opening)[1:] if opening is not None else []
            return at if any(code.tokens[first].text == name for first, _ in sources) else None
        if token.text == "(" and code.tokens[at - 1].kind is Kind.NAME:
            called = code.tokens[at - 1].text
            if called not in ("DataCopy", "DataCopyPad"):
                return None  # a function that may wait
        at += 1
    return None
