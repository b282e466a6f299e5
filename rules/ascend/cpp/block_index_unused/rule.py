"""`GetBlockNum()` without `GetBlockIdx()` in a kernel that is one file."""

from collections.abc import Iterator

from porter.ascend.kernels import is_kernel
from porter.languages.cpp import Code, Unit
from porter.model import Edit, Match, ProjectFacts, Safety, Span

INDEX = ("GetBlockIdx", "get_block_idx", "block_idx", "GetSubBlockIdx", "blockIdx")
TOOLKIT = ("kernel_", "torch", "acl", "tiling/", "std", "lib/")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not is_kernel(unit) or any(unit.places(word) for word in INDEX):
        return
    # Another header may ask; a kernel that is whole has none of its own.
    if any(not header.startswith(TOOLKIT) for header, _ in unit.includes):
        return
    if not any(token.text == "__global__" for token in unit.code.tokens):
        return
    for at in filter(lambda at: _divides(unit.code, at), unit.code.places("GetBlockNum")):
        edits = _apart(unit.code, at)
        yield Match(unit.code.tokens[at].span, edits, safety=None if edits else Safety.MANUAL)
        return


def _divides(code: Code, at: int) -> bool:
    """`n / GetBlockNum()`, `CeilDiv(n, GetBlockNum())`, or a variable of it that something is
    divided by: who only asks whether there is a block divides no work."""
    tokens = code.tokens
    start = at - 3 if tokens[at - 1].text == "::" else at - 1
    if tokens[start].text == "=":
        name = tokens[start - 1].text
        return any(tokens[place - 1].text == "/" or _is_divisor(code, place)
                   for place in code.places(name) if place > at)  # fmt: skip
    return tokens[start].text == "/" or _is_divisor(code, at)


def _is_divisor(code: Code, at: int) -> bool:
    """Whether a token is in the last argument of a function that divides by it."""
    while at > 0 and code.tokens[at].text not in (";", "{", "}", "(", ","):
        at -= 1
    while at > 0 and code.tokens[at].text not in (";", "{", "}", "("):
        at -= 1
    return code.tokens[at].text == "(" and "div" in code.tokens[at - 1].text.lower()


def _apart(code: Code, at: int) -> tuple[Edit, ...]:
    """Each buffer from the block's own part on, where `part = n / GetBlockNum();` is said once, and
    all buffers are of n elements."""
    tokens, function = code.tokens, code.function_at(at)
    divided = at - 3 if tokens[at - 1].text == "::" else at - 1
    equals = divided - 2
    words = [tokens[place].text for place in (equals, divided, at + 3)]
    if function is None or words != ["=", "/", ";"] or len(code.places("GetBlockNum")) != 1:
        return ()
    whole = tokens[equals - 2].text == "->"  # this->part
    part = code.text(equals - 3 if whole else equals - 1, equals - 1)
    edits = []
    index = code.text(divided + 1, at).replace("GetBlockNum", "GetBlockIdx")
    for place in code.places("SetGlobalBuffer"):
        given = code.arguments(place + 1)
        if not at < place < function.closing or len(given) != 2:
            return ()
        (first, last), (count, end) = given
        cast = tokens[first].text == "(" and code.pairs.get(first) == last - 1
        if not cast or count != end or tokens[count].text != tokens[divided - 1].text:
            return ()
        behind = Span(tokens[last].end, tokens[last].end)
        edits.append(Edit(behind, f" + {part} * {index}()".encode()))
        edits.append(Edit(tokens[count].span, part.encode()))
    return tuple(edits)
