"""`length / GetBlockNum()` in a file that knows no `%`, no tail and no rounding up."""

import re
from collections.abc import Iterator

from porter.ascend.kernels import calls, constants, evaluate, is_kernel
from porter.languages.cpp import Code, Kind, Unit
from porter.model import Match, ProjectFacts

# What kernels call the rest, or what takes care of it: beginnings of the words of a name.
CARED = ("tail", "rem", "rest", "last", "former", "ceil", "align", "pad", "min", "max", "mod")
CARED += ("extra", "split", "big", "small", "left", "up", "core")
COPIES = frozenset(
    ("DataCopyPad", "DataCopyExtParams", "DataCopyPadExtParams", "DataCopyPadParams")
)
WORD = re.compile(r"[A-Z]?[a-z]+")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    if not is_kernel(unit) or any(token.text in ("%", "%=") for token in code.tokens):
        return
    names = {token.text for token in code.tokens if token.kind is Kind.NAME}
    if not _copies_a_rest(code):
        names -= COPIES
    if any(word.lower().startswith(CARED) for name in names for word in WORD.findall(name)):
        return
    for at in code.places("GetBlockNum"):
        start = at - 3 if code.tokens[at - 1].text == "::" else at - 1
        if code.tokens[start].text == "/" and code.tokens[start - 1].kind is Kind.NAME:
            yield Match(code.tokens[start - 1].span)


def _copies_a_rest(code: Code) -> bool:
    """Whether DataCopyPad is given a length that is not the same at each call."""
    known = constants(code.unit)
    for _, given in calls(code, "DataCopyPad"):
        for first, last in given[2:3]:
            opening = next((i for i in range(first, last) if code.tokens[i].text in "{("), None)
            fields = code.arguments(opening)[1:2] if opening is not None else []
            if not fields or any(_size(code, *field, known) is None for field in fields):
                return True
    return False


def _size(code: Code, first: int, last: int, known: dict[str, int]) -> int | None:
    """The value of a field, also in `static_cast<uint32_t>(...)`."""
    if code.tokens[first].text == "static_cast" and code.tokens[last].text == ")":
        first = next(i for i in range(first, last) if code.tokens[i].text == "(")
    return evaluate(code, first, last, known)
