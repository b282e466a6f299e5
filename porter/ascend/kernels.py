"""What a C++ file for Ascend says of its constants, tensors and buffers, as far as it is sure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from porter.languages.cpp import Code, Function, Kind, Unit

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
    return _computed(words)


def _computed(words: list[str]) -> int | None:
    """Sums of products; `words` hold numbers, operators and brackets only."""
    position = 0

    def peek() -> str:
        return words[position] if position < len(words) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return words[position - 1]

    def factor() -> int:
        word = take() if peek() else ""
        if word == "(":
            value = total()
            if take() != ")":
                raise ValueError
            return value
        if word == "-":
            return -factor()
        return int(word)

    def product() -> int:
        value = factor()
        while peek() in ("*", "//"):
            value = value * factor() if take() == "*" else value // factor()
        return value

    def total() -> int:
        value = product()
        while peek() in ("+", "-"):
            value = value + product() if take() == "+" else value - product()
        return value

    try:
        value = total()
    except (ValueError, IndexError, ZeroDivisionError):
        return None
    return value if position == len(words) else None


def element_types(code: Code) -> dict[str, str]:
    """The element type of each tensor by its name, where every declaration agrees on it."""
    found: dict[str, set[str]] = {}
    for at, token in enumerate(code.tokens[:-4]):
        if token.text in HOLDERS and code.tokens[at + 1].text == "<":
            end = code.after_angles(at + 1)
            kind = code.text(at + 2, end - 2)
            while end < len(code.tokens) and code.tokens[end].text in ("&", "const"):
                end += 1
            for name in _declared(code, end):
                found.setdefault(name, set()).add(kind)
        elif token.text in MADE_BY and code.tokens[at + 1].text == "<":
            end = code.after_angles(at + 1)
            name = _assigned(code, at)
            if name:
                found.setdefault(name, set()).add(code.text(at + 2, end - 2))
    return {name: kinds.copy().pop() for name, kinds in found.items() if len(kinds) == 1}


def _declared(code: Code, at: int) -> Iterator[str]:
    """`a, b = ..., c;` names after a type."""
    while at < len(code.tokens) and code.tokens[at].kind is Kind.NAME:
        yield code.tokens[at].text
        following = [token.text for token in code.tokens[at + 1 : at + 4]]
        if following[:1] != [","] or following[2:] not in ([","], [";"]):
            return  # no more of them, or the next parameter's type
        at += 2


def _assigned(code: Code, at: int) -> str:
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
            opening = code.after_angles(opening)
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


def memories(code: Code) -> dict[str, str]:
    """Whether a tensor is a LocalTensor or a GlobalTensor, by its name, where all agree on it."""
    found: dict[str, set[str]] = {}
    for at in code.places(*HOLDERS):
        if code.tokens[at + 1].text == "<":
            end = code.after_angles(at + 1)
            while end < len(code.tokens) and code.tokens[end].text in ("&", "const"):
                end += 1
            for name in _declared(code, end):
                found.setdefault(name, set()).add(code.tokens[at].text)
    for at in code.places(*MADE_BY):
        if code.tokens[at + 1].text == "<" and (name := _assigned(code, at)):
            found.setdefault(name, set()).add("LocalTensor")
    return {name: kinds.copy().pop() for name, kinds in found.items() if len(kinds) == 1}


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
