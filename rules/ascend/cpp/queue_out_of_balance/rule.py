"""A queue with AllocTensor and no FreeTensor, or with one of EnQue and DeQue alone."""

from collections import defaultdict
from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.languages.functions import Code, after_angles
from porter.model import Match, ProjectFacts

METHODS = ("AllocTensor", "FreeTensor", "EnQue", "DeQue")
FREED = "{0} is never freed: AllocTensor waits for ever once its buffers are used up"
ENTERED = "{0} is never taken from: EnQue without a DeQue, so nothing waits for what was put in"
TAKEN = "{0} is never filled: DeQue waits for an EnQue that does not come"


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    for name, declared in _queues(code).items():
        used = _uses(code, name)
        if used is None:
            continue
        allocated, freed, entered, taken = (bool(used[method]) for method in METHODS)
        said = ""
        if allocated and not freed and any(_repeats(code, at) for at in used["AllocTensor"]):
            said = FREED
        elif entered and not taken and allocated:
            said = ENTERED
        elif taken and not entered:
            said = TAKEN
        if said:
            yield Match(code.tokens[declared].span, message=said.format(name))


def _queues(code: Code) -> dict[str, int]:
    """Queues by name, of those that only one declaration has."""
    found: dict[str, list[int]] = defaultdict(list)
    for at in code.places("TQue"):
        if at + 1 >= len(code.tokens) or code.tokens[at + 1].text != "<":
            continue
        end = after_angles(code, at + 1)
        while end < len(code.tokens) and code.tokens[end].text not in (";", "(", ")", "{", "&"):
            if code.tokens[end].text not in (",", "*"):
                found[code.tokens[end].text].append(end)
            end += 1
    return {
        name: places[0]
        for name, places in found.items()
        if len(places) == 1 and _is_private(code, places[0])
    }


def _is_private(code: Code, at: int) -> bool:
    """Whether no derived class can use it: by the access specifier before it."""
    while at > 0:
        text = code.tokens[at].text
        if text in ("public", "private", "protected") and code.tokens[at + 1].text == ":":
            return text == "private"
        if text == "{":  # the class's own, else that of a function
            words = [token.text for token in code.tokens[max(at - 12, 0) : at]]
            return "class" in words and "struct" not in words
        if text == "}":
            at = _opening(code, at)
        at -= 1
    return False


def _opening(code: Code, closing: int) -> int:
    return next((a for a, b in code.pairs.items() if b == closing), 0)


def _repeats(code: Code, at: int) -> bool:
    """Whether a token stands in a loop, or in a function that is called in one."""
    function = code.inside(at)
    if function is None or _in_loop(code, function.opening, at):
        return function is not None
    return any(
        code.tokens[call + 1].text == "("
        and (around := code.inside(call)) is not None
        and _in_loop(code, around.opening, call)
        for call in code.places(function.name)
    )


def _in_loop(code: Code, begin: int, at: int) -> bool:
    for place in range(begin, at):
        if code.tokens[place].text in ("for", "while") and place + 1 in code.pairs:
            start = code.pairs[place + 1] + 1
            if start <= at <= code.pairs.get(start, start):
                return True
    return False


def _uses(code: Code, name: str) -> dict[str, list[int]] | None:
    """Calls of each method; None where the queue is handed on, or is one of several."""
    used: dict[str, list[int]] = {method: [] for method in METHODS}
    for at in code.places(name):
        after = code.tokens[at + 1].text if at + 1 < len(code.tokens) else ""
        method = code.tokens[at + 2].text if at + 2 < len(code.tokens) else ""
        if method == "template":
            method = code.tokens[at + 3].text
        opened = [t.text for t in code.tokens[max(at - 4, 0) : at]]
        if after == "." and method in METHODS:
            used[method].append(at)
        elif after == "." or "InitBuffer" in opened or after in (";", ","):
            handed = after == "," and "InitBuffer" not in opened and "(" in opened
            if handed:
                return None
        else:
            return None
    return used
