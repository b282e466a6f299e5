"""What a C++ file for Ascend says of its constants, tensors and buffers, as far as it is sure."""

from __future__ import annotations

import ast
import operator
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from porter.languages.cpp import Code, Function, Kind, Unit
from porter.languages.data import read_syntax

SIZES = {
    "bool": 1, "int8_t": 1, "uint8_t": 1, "char": 1,
    "half": 2, "float16_t": 2, "bfloat16_t": 2, "int16_t": 2, "uint16_t": 2,
    "float": 4, "int32_t": 4, "uint32_t": 4, "int": 4, "int64_t": 8, "uint64_t": 8, "double": 8,
}  # fmt: skip
HOLDERS = ("LocalTensor", "GlobalTensor")
MADE_BY = ("AllocTensor", "DeQue", "Get", "ReinterpretCast")
LOOKED_AT = ("contiguous", "stride")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*")
_MARKS = ("__aicore__", "AscendC", "TPipe")
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def is_kernel(unit: Unit) -> bool:
    """Whether a file has device code of Ascend C."""
    return any(unit.places(mark) for mark in _MARKS)


def constants(unit: Unit) -> dict[str, int]:
    """Integers that the file gives a name, once: constexpr, const, #define."""
    found: dict[str, int | None] = {}
    code = unit.code
    for at in code.places("="):
        words = {t.text for t in code.tokens[max(at - 6, 0) : at]}
        name = code.tokens[at - 1]
        if name.kind is Kind.NAME and words & {"constexpr", "const"}:
            end = at + 1
            while end < len(code.tokens) and code.tokens[end].text not in (";", ",", "{"):
                end = code.pairs.get(end, end) + 1
            known = {k: v for k, v in found.items() if v is not None}
            value = evaluate(code, at + 1, end - 1, known)
            found[name.text] = value if name.text not in found else None
    for at in unit.places("#define"):
        if at + 2 < len(unit.tokens):
            name, value_token = unit.tokens[at + 1], unit.tokens[at + 2]
            line = unit.position(name.start)[0]
            alone = at + 3 >= len(unit.tokens) or unit.position(unit.tokens[at + 3].start)[0] > line
            number = _NUMBER.fullmatch(value_token.text)
            if number and alone and unit.position(value_token.start)[0] == line:
                found[name.text] = int(number[1], 0) if name.text not in found else None
    return {name: value for name, value in found.items() if value is not None}


def evaluate(code: Code, first: int, last: int, known: Mapping[str, int]) -> int | None:
    """The value of an expression of integers, names that are known, sizeof and + - * /."""
    words: list[str] = []
    at = first
    while at <= last:
        token = code.tokens[at]
        if token.text == "sizeof" and at + 2 <= last and code.pairs.get(at + 1) == at + 3:
            size = SIZES.get(code.tokens[at + 2].text)
            if size is None:
                return None
            words.append(str(size))
            at += 4
            continue
        number = _NUMBER.fullmatch(token.text)
        if number:
            words.append(str(int(number[1], 0)))
        elif token.kind is Kind.NAME and token.text in known:
            words.append(str(known[token.text]))
        elif token.text in ("+", "-", "*", "(", ")"):
            words.append(token.text)
        elif token.text == "/":
            words.append("//")
        else:
            return None
        at += 1
    return _evaluate(words)


def _evaluate(words: list[str]) -> int | None:
    """Sums of products; `words` hold numbers, operators and brackets only."""
    try:
        [statement] = read_syntax(" ".join(words)).body
        return _value(statement.value) if isinstance(statement, ast.Expr) else None
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError):
        return None


def _value(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return int(_OPERATORS[type(op)](_value(left), _value(right)))
    raise ValueError


def element_types(code: Code) -> dict[str, str]:
    """The element type of each tensor by its name, where every declaration agrees on it."""
    return _keep_agreeing((name, kind) for name, _, kind in _tensors(code))


def memories(code: Code) -> dict[str, str]:
    """Whether a tensor is a LocalTensor or a GlobalTensor, by its name, where all agree on it."""
    return _keep_agreeing((name, holder) for name, holder, _ in _tensors(code))


def _keep_agreeing(said: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = defaultdict(set)
    for name, kind in said:
        found[name].add(kind)
    return {name: kinds.pop() for name, kinds in found.items() if len(kinds) == 1}


def _tensors(code: Code) -> Iterator[tuple[str, str, str]]:
    """(name, holder, element type) of each tensor that is declared, or made by a buffer."""
    tokens = code.tokens
    for at in code.places(*HOLDERS, *MADE_BY):
        if at + 1 == len(tokens) or tokens[at + 1].text != "<":
            continue
        end = code.skip_angles(at + 1)
        kind = code.text(at + 2, end - 2)
        if tokens[at].text in MADE_BY:
            yield from (
                (name, "LocalTensor", kind) for name in [_assignment_target(code, at)] if name
            )
            continue
        while end < len(tokens) and tokens[end].text in ("&", "const"):
            end += 1
        yield from ((name, tokens[at].text, kind) for name in _names_after_type(code, end))


def _names_after_type(code: Code, at: int) -> Iterator[str]:
    """`a, b = ..., c;` names after a type."""
    while at < len(code.tokens) and code.tokens[at].kind is Kind.NAME:
        yield code.tokens[at].text
        following = [token.text for token in code.tokens[at + 1 : at + 4]]
        if following[:1] != [","] or following[2:] not in ([","], [";"]):
            return  # no more of them, or the next parameter's type
        at += 2


def _assignment_target(code: Code, at: int) -> str:
    """`auto x = q.Get<T>()`: x, from the method's token."""
    while at > 0 and code.tokens[at].text not in (";", "{", "}", "="):
        at -= 1
    before = code.tokens[at - 1] if at > 1 and code.tokens[at].text == "=" else None
    typed = before is not None and code.tokens[at - 2].text in ("auto", "&")
    return before.text if before is not None and typed and before.kind is Kind.NAME else ""


def element(code: Code, first: int, last: int, types: Mapping[str, str]) -> str:
    """The element type of an argument `x`, `x[...]` or `this->x`; empty where unknown."""
    words = [code.tokens[i] for i in range(first, last + 1)]
    if words and words[0].text == "this" and len(words) > 2:
        words = words[2:]
    if not words or words[0].kind is not Kind.NAME:
        return ""
    plain = len(words) == 1 or words[1].text == "["
    return types.get(words[0].text, "") if plain else ""


def calls(code: Code, *names: str) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """(token, arguments) of each call of these names, with template arguments or without; what
    follows a dot is a method and none of them."""
    for at in code.places(*names):
        opening = at + 1
        if opening < len(code.tokens) and code.tokens[opening].text == "<":
            opening = code.skip_angles(opening)
        if opening >= len(code.tokens) or code.tokens[opening].text != "(":
            continue
        if at and code.tokens[at - 1].text in (".", "->"):
            continue
        yield at, code.arguments(opening)


def body(code: Code, function: Function) -> list[str]:
    """The texts of the tokens of a function's body."""
    return [token.text for token in code.tokens[function.opening : function.closing + 1]]


def looks_at_layout(texts: Iterable[str]) -> bool:
    """Whether a body asks for the strides of a tensor, or has it copied."""
    return any(mark in text.lower() for text in texts for mark in LOOKED_AT)


def is_private(code: Code, at: int) -> bool:
    """Whether no derived class can use a member: by the access specifier before it."""
    while at > 0:
        text = code.tokens[at].text
        if text in ("public", "private", "protected") and code.tokens[at + 1].text == ":":
            return text == "private"
        if text == "{":  # the class's own, else that of a function
            words = [token.text for token in code.tokens[max(at - 12, 0) : at]]
            return "class" in words and "struct" not in words
        if text == "}":
            at = next((a for a, b in code.pairs.items() if b == at), 0)
        at -= 1
    return False
