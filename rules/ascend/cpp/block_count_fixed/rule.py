"""`kernel<<<8, nullptr, stream>>>(...)`, `context->SetBlockDim(8)`, also by a variable that is 8
and stays so."""

import re
from collections.abc import Iterator

from porter.languages.cpp import Code, Unit
from porter.model import Match, ProjectFacts

CALLS = ("EXEC_KERNEL_CMD", "ACLRT_LAUNCH_KERNEL")
NUMBER = re.compile(r"([2-9]|[1-9][0-9]+)[uUlL]*")  # one block is a decision, not a guess


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None or unit.path.endswith((".cu", ".cuh")):
        return
    code = unit.code
    for at in code.places("<<<", "SetBlockDim", *CALLS):
        function = code.function_at(at)
        if function is not None and function.name == "main":
            continue  # a program with data of its own, of a size that is fixed as well
        place = _blocks(code, at)
        if place is not None and (token := _number(code, place)) is not None:
            if code.tokens[at].text == "SetBlockDim" and _is_one_of_several(code, at):
                continue
            yield Match(code.tokens[token].span)


def _blocks(code: Code, at: int) -> int | None:
    """The token that is the number of blocks, where it is one token."""
    if code.tokens[at].text == "<<<":
        return at + 1 if code.tokens[at + 2].text == "," else None
    opening = at + 1
    number = 0 if code.tokens[at].text == "SetBlockDim" else 1
    if code.tokens[at].text == "ACLRT_LAUNCH_KERNEL":
        opening = code.pairs.get(opening, -2) + 1
        number = 0
    if opening < 1 or code.tokens[opening].text != "(":
        return None
    given = code.arguments(opening)
    return (
        given[number][0] if len(given) > number and given[number][0] == given[number][1] else None
    )


def _is_one_of_several(code: Code, at: int) -> bool:
    """Whether the function sets another number in another case: it has chosen this one."""
    function = code.function_at(at)
    others = [place for place in code.places("SetBlockDim") if place != at]
    return function is not None and any(
        function.opening < place < function.closing for place in others
    )


def _number(code: Code, place: int) -> int | None:
    """Where the number is written: here, or in the one assignment of the variable."""
    if NUMBER.fullmatch(code.tokens[place].text):
        return place
    function = code.function_at(place)
    if function is None:
        return None
    name = code.tokens[place].text
    begin, found = function.head, []
    for at in range(begin, function.closing):
        if code.tokens[at].text != name:
            continue
        after = code.tokens[at + 1].text
        if after in ("=", "+=", "-=", "*=", "/=", "{", "++", "--") or (at < function.opening):
            found.append(at)
        elif code.tokens[at - 1].text in ("&", "++", "--"):
            return None
    if len(found) != 1 or code.tokens[found[0] + 3].text != ";":
        return None
    is_number = NUMBER.fullmatch(code.tokens[found[0] + 2].text)
    return found[0] + 2 if is_number and code.tokens[found[0] + 1].text == "=" else None
