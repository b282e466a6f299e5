"""`length / GetBlockNum()` in a file that knows no `%`, no tail and no rounding up."""

import re
from collections.abc import Iterator

from porter.ascend.kernels import is_kernel
from porter.languages.cpp import Kind, Unit
from porter.model import Match, ProjectFacts

# What kernels call the rest, or what takes care of it: beginnings of the words of a name.
CARED = ("tail", "rem", "rest", "last", "former", "ceil", "align", "pad", "min", "max", "mod")
CARED += ("extra", "split", "big", "small", "left", "up", "core")
WORD = re.compile(r"[A-Z]?[a-z]+")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    if not is_kernel(unit) or any(token.text in ("%", "%=") for token in code.tokens):
        return
    names = {token.text for token in code.tokens if token.kind is Kind.NAME}
    if any(word.lower().startswith(CARED) for name in names for word in WORD.findall(name)):
        return
    for at in code.places("GetBlockNum"):
        start = at - 3 if code.tokens[at - 1].text == "::" else at - 1
        if code.tokens[start].text == "/" and code.tokens[start - 1].kind is Kind.NAME:
            yield Match(code.tokens[start - 1].span)
