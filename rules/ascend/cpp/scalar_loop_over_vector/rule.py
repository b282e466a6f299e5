"""`for (i...) { v = x.GetValue(i); y.SetValue(i, f(v)); }`"""

from collections.abc import Iterator

from porter.ascend.kernels import HOLDERS, is_kernel, memories
from porter.languages.cpp import Code, Kind, Unit
from porter.model import Match, ProjectFacts

SET = ("SetValue", "set_value")
GET = ("GetValue", "get_value")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not is_kernel(unit):
        return
    code = unit.code
    places = memories(code)
    for at in code.places("for"):
        variable, begin, end = _loop(code, at)
        if not variable:
            continue
        written = _tensors_by_index(code, begin, end, SET, variable)
        read = _tensors_by_index(code, begin, end, GET, variable)
        inner = any(code.tokens[i].text in ("for", "while", "if") for i in range(begin, end))
        tensors = written | read
        own = {**places, **_find_tensors(code, at)}
        local = tensors and not any(_is_global(name, own) for name in tensors)
        alone = _only(code, begin, end, variable) and not _carries(code, begin, end)
        alone = alone and not _has_instruction(code, begin, end)
        alone = alone and not _has_array(code, begin, end, variable)
        if written and read and local and not inner and alone:
            yield Match(code.tokens[at].span)


def _find_tensors(code: Code, at: int) -> dict[str, str]:
    """Where the tensors are that the function around takes, or declares before a token."""
    function = code.function_at(at)
    found = {}
    for place in code.places(*HOLDERS) if function is not None else ():
        if function.head < place < at and code.tokens[place + 1].text == "<":
            end = code.skip_angles(place + 1)
            while code.tokens[end].text in ("&", "const"):
                end += 1
            found[code.tokens[end].text] = code.tokens[place].text
    return found


def _is_global(name: str, places: dict[str, str]) -> bool:
    """Whether a tensor may be in global memory, which no vector instruction writes to, or a part
    of one that begins anywhere, `x[n]`."""
    if not name.isidentifier():
        return True
    said = places.get(name, "")
    return said == "GlobalTensor" or (
        not said and ("gm" in name.lower() or "global" in name.lower())
    )


def _loop(code: Code, at: int) -> tuple[str, int, int]:
    """The variable of a counting loop, and its body."""
    closing = code.pairs.get(at + 1)
    if closing is None:
        return "", 0, 0
    head = code.tokens[at + 2 : closing]
    names = [t.text for n, t in enumerate(head) if n and head[n - 1].kind is Kind.NAME]
    variable = next((n for n in names if n.isidentifier()), "")
    begin = closing + 1
    if code.tokens[begin].text == "{":
        return variable, begin, code.pairs.get(begin, begin)
    end = begin
    while end < len(code.tokens) and code.tokens[end].text != ";":
        end = code.pairs.get(end, end) + 1
    return variable, begin, end


def _has_instruction(code: Code, begin: int, end: int) -> bool:
    """Whether a turn does more than one element: `Muls(x[i * n], x[i * n], y.GetValue(i), n)`."""
    return any(
        code.tokens[at].text == "(" and code.tokens[at - 1].kind is Kind.NAME
        and any(code.tokens[first + 1].text == "[" for first, _ in code.arguments(at)[:1])
        for at in range(begin + 1, end)
    )  # fmt: skip


def _has_array(code: Code, begin: int, end: int, variable: str) -> bool:
    """Whether an array of scalars gives or takes the elements: `kept[i]`."""
    return any(
        code.tokens[at].text == "[" and code.tokens[at + 1].text == variable
        and code.tokens[at + 2].text == "]" and code.tokens[at - 1].kind is Kind.NAME
        for at in range(begin, end)
    )  # fmt: skip


def _carries(code: Code, begin: int, end: int) -> bool:
    """Whether one turn leaves something to the next: a running sum is no vector instruction."""
    for at in range(begin, end):
        text = code.tokens[at].text
        if text in ("+=", "-=", "*=", "/=", "|=", "&=", "^=", "++", "--"):
            return True
        if text == "=":
            typed = code.tokens[at - 2]
            if typed.kind is not Kind.NAME and typed.text not in (">", "&", "*"):
                return True
    return False


def _only(code: Code, begin: int, end: int, variable: str) -> bool:
    """Whether no element is asked for by another index: what gathers is not said to be slow."""
    for at in range(begin, end):
        if code.tokens[at].text in (*SET, *GET) and code.tokens[at + 1].text == "(":
            given = code.arguments(at + 1)
            if not given or code.text(*given[0]) != variable:
                return False
    return True


def _tensors_by_index(
    code: Code, begin: int, end: int, methods: tuple[str, ...], variable: str
) -> set[str]:
    """Tensors of which such a method is called with the variable alone as the index."""
    found = set()
    for at in range(begin, end):
        if code.tokens[at].text in methods and code.tokens[at + 1].text == "(":
            given = code.arguments(at + 1)
            if given and code.text(*given[0]) == variable:
                found.add(code.tokens[at - 2].text)
    return found
