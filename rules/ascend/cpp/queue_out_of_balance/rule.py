"""A queue with AllocTensor and no FreeTensor, or with one of EnQue and DeQue alone."""

from collections import defaultdict
from collections.abc import Iterator

from porter.ascend.hosts import last_in
from porter.ascend.kernels import is_private
from porter.languages.cpp import Code, Kind, Unit
from porter.model import Edit, Match, ProjectFacts, Safety

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
            edits = _add_free(code, name, used) if said == FREED else ()
            safety = None if edits else Safety.MANUAL
            yield Match(code.tokens[declared].span, edits, said.format(name), safety)


def _queues(code: Code) -> dict[str, int]:
    """Queues by name, of those that only one declaration has."""
    found: dict[str, list[int]] = defaultdict(list)
    for at in code.places("TQue"):
        if at + 1 >= len(code.tokens) or code.tokens[at + 1].text != "<":
            continue
        end = code.skip_angles(at + 1)
        while end < len(code.tokens) and code.tokens[end].text not in (";", "(", ")", "{", "&"):
            if code.tokens[end].text not in (",", "*"):
                found[code.tokens[end].text].append(end)
            end += 1
    return {
        name: places[0]
        for name, places in found.items()
        if len(places) == 1 and is_private(code, places[0])
    }


def _repeats(code: Code, at: int) -> bool:
    """Whether a token stands in a loop, or in a function that is called in one."""
    function = code.function_at(at)
    if function is None or _is_in_loop(code, function.opening, at):
        return function is not None
    return any(
        code.tokens[call + 1].text == "("
        and (around := code.function_at(call)) is not None
        and _is_in_loop(code, around.opening, call)
        for call in code.places(function.name)
    )


def _is_in_loop(code: Code, begin: int, at: int) -> bool:
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
            if after == "," and "InitBuffer" not in opened and code.function_at(at) is not None:
                return None  # an argument
        else:
            return None
    return used


def _add_free(code: Code, name: str, used: dict[str, list[int]]) -> tuple[Edit, ...]:
    """FreeTensor at the end of the one function that takes from the queue, where what it takes
    goes nowhere else."""
    if len(used["DeQue"]) != 1:
        return ()
    at = used["DeQue"][0]
    function = code.function_at(at)
    if function is None or code.tokens[at - 1].text not in ("=", "->"):
        return ()
    equals = at - 1 if code.tokens[at - 1].text == "=" else at - 3
    tensor = code.tokens[equals - 1]
    words = [token.text for token in code.tokens[function.opening : function.closing]]
    depth = sum((t.text == "{") - (t.text == "}") for t in code.tokens[function.opening : at])
    own = code.tokens[equals - 2].text in ("auto", ">") and tensor.kind is Kind.NAME
    if not own or depth != 1 or "return" in words or code.tokens[equals].text != "=":
        return ()
    for place in range(at, function.closing):
        before, after = code.tokens[place - 1].text, code.tokens[place + 1].text
        if code.tokens[place].text == tensor.text and before not in (".", "->", "::"):
            put = code.tokens[place - 2].text in ("EnQue", "FreeTensor") or before == ">"
            if put or (before == "=" and after in (";", ",")) or before == "&":
                return ()
    return (last_in(code, function, equals - 1, f"{name}.FreeTensor({tensor.text});"),)
