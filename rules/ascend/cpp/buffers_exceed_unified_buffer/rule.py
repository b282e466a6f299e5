"""`pipe.InitBuffer(queue, depth, bytes)` of known sizes that are too much together."""

import re
from collections.abc import Iterator

from porter.ascend.hosts import whole_lines
from porter.ascend.kernels import body, constants, evaluate, is_private
from porter.languages.cpp import Code, Unit
from porter.model import Edit, Match, ProjectFacts, Safety

LARGEST = 256 * 1024  # bytes: of an Atlas inference chip; an 910B has 192 KiB
# Where one buffer may take the place of another: branches, and pools that are used again.
ONE_OF = frozenset(("if", "else", "switch", "Reset", "InitBufPool"))
SAID = "{} bytes of the unified buffer, of which the largest has {} (a 910B: 196608)"
_VECTOR = re.compile(r"VECIN|VECOUT|VECCALC")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    code = unit.code
    known, vector = constants(unit), _vector_buffers(code)
    for function in code.functions:
        total, one_way = 0, not ONE_OF & set(body(code, function))
        for at in range(function.opening, function.closing):
            if code.tokens[at].text != "InitBuffer" or code.tokens[at + 1].text != "(":
                continue
            given = code.arguments(at + 1)
            name = code.text(*given[0]).removeprefix("this->") if given else ""
            sizes = [evaluate(code, *argument, known) for argument in given[1:]]
            if name not in vector or not sizes or None in sizes:
                continue
            size = 1
            for number in sizes:
                size *= number or 0
            total = total + size if one_way else size
            if total > LARGEST:
                edits = _remove_unused(code, at, name)
                said = SAID.format(total, LARGEST) + (f"; nothing uses {name}" if edits else "")
                yield Match(code.tokens[at].span, edits, said, None if edits else Safety.MANUAL)
                break


def _vector_buffers(code: Code) -> set[str]:
    """Queues and buffers of the vector unit: those of the cube unit lie elsewhere."""
    found = set()
    for at in code.places("TQue", "TBuf", "TQueBind"):
        if at + 1 < len(code.tokens) and code.tokens[at + 1].text == "<":
            end = code.skip_angles(at + 1)
            kind = code.text(at + 2, end - 2)
            if _VECTOR.search(kind) or not kind:
                while end < len(code.tokens) and code.tokens[end].text not in (";", "(", ")", "{"):
                    found.add(code.tokens[end].text)
                    end += 1
    return found - {","}


def _remove_unused(code: Code, at: int, name: str) -> tuple[Edit, ...]:
    """Without the buffer, where nothing but this statement and its declaration names it."""
    others = [place for place in code.places(name) if not at < place < code.pairs[at + 1]]
    if len(code.places(name)) != 2 or len(others) != 1 or not is_private(code, others[0]):
        return ()
    first, begin = others[0], at
    while code.tokens[first - 1].text not in (";", "{", "}", ":"):
        first -= 1
    while code.tokens[begin - 1].text not in (";", "{", "}"):
        begin -= 1
    kind = [token.text for token in code.tokens[first : others[0]]]
    if "TBuf" not in kind or "," in kind or code.tokens[others[0] + 1].text != ";":
        return ()
    declared = whole_lines(code, first, others[0] + 1)
    statement = whole_lines(code, begin, code.pairs[at + 1] + 1)
    return (statement, declared) if statement and declared else ()
