"""`k<<<...>>>(x.data_ptr())` in a function that takes x and never looks at its strides, where not
every function of the file that calls it does."""

from collections.abc import Iterable, Iterator

from porter.ascend.kernels import body
from porter.languages.cpp import Unit
from porter.languages.functions import Code, Function
from porter.model import Match, ProjectFacts

LOOKED_AT = ("contiguous", "stride")
POINTERS = frozenset(("data_ptr", "mutable_data_ptr", "const_data_ptr", "data"))


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None or unit.path.endswith((".cu", ".cuh")):
        return
    code = unit.code
    for function in code.functions:
        texts = body(code, function)
        if "<<<" not in texts and "ACLRT_LAUNCH_KERNEL" not in texts:
            continue
        name = function.qualified.rpartition("::")[2]
        others = [body(code, f) for f in code.functions if f.opening != function.opening]
        callers = [other for other in others if name in other]
        if _looks(texts) or (callers and all(map(_looks, callers))):
            continue
        for at in range(function.opening, function.closing - 2):
            words = [token.text for token in code.tokens[at : at + 3]]
            if words[1] == "." and words[2] in POINTERS and _is_input(code, function, words[0]):
                yield Match(code.tokens[at].span, name=words[0])
                break


def _looks(texts: Iterable[str]) -> bool:
    return any(mark in text.lower() for text in texts for mark in LOOKED_AT)


def _is_input(code: Code, function: Function, name: str) -> bool:
    """Whether the function takes a constant tensor of this name."""
    texts = [token.text for token in code.tokens[function.head : function.opening]]
    for n, text in enumerate(texts):
        before = texts[max(n - 6, 0) : n]
        if text == name and "Tensor" in before[-3:] and "const" in before:
            return True
    return False
