"""Where the parts of a C++ declaration end, by its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from porter.languages.cpp_tokens import Kind, Token, closing

OPENING = frozenset({"namespace", "template", "using", "enum", "extern"})


def position_of(tokens: Sequence[Token], at: int, text: str) -> int:
    while at < len(tokens) and tokens[at].text != text:
        at += 1
    return at


def split_commas(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    out, first, depth = [], 0, 0
    for index, token in enumerate(tokens):
        depth += (token.text in ("(", "<", "{")) - (token.text in (")", ">", "}"))
        if token.text == "," and depth == 0:
            out.append(tokens[first:index])
            first = index + 1
    return [*out, tokens[first:]]


def after_macro(tokens: Sequence[Token], at: int) -> int | None:
    """The index after a macro that stands for itself: `PUSH_WARNINGS("x")`, without semicolon."""
    text = tokens[at].text
    if not text.isupper() or at + 1 >= len(tokens):
        return None
    if tokens[at + 1].text in OPENING:
        return at + 1
    if tokens[at + 1].text != "(":
        return None
    after = closing(tokens, at + 1) + 1
    body = after < len(tokens) and tokens[after].text in ("{", ":", "->")
    return None if body else after


def head_end(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Where a declaration's head ends, and where the next declaration begins."""
    seen_parameters = False
    index = at
    while index < len(tokens):
        text = tokens[index].text
        if text == ";":
            return index, index + 1
        if text == "(":
            seen_parameters = True
            index = closing(tokens, index)
        elif text == "=":
            return index, _after_initialiser(tokens, index)
        elif text == "{":
            return index, closing(tokens, index) + 1
        elif text == ":" and seen_parameters:
            return index, _after_constructor(tokens, index + 1)
        elif text == "}":
            return index, index + 1
        index += 1
    return len(tokens), len(tokens)


def _after_initialiser(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].text != ";":
        at = closing(tokens, at) if tokens[at].text in ("(", "{", "[") else at
        at += 1
    return at + 1


def _after_constructor(tokens: Sequence[Token], at: int) -> int:
    """After `: a(b), c{d} { body }`."""
    while at < len(tokens):
        text = tokens[at].text
        if text == "(":
            at = closing(tokens, at)
        elif text == "{":
            close = closing(tokens, at)
            if tokens[at - 1].kind is not Kind.NAME and tokens[at - 1].text != ">":
                return close + 1
            at = close
        elif text == ";":
            return at + 1
        at += 1
    return at


def declares_more(tokens: Sequence[Token], close: int) -> bool:
    """`class X { ... } instance;`"""
    return (
        close + 1 < len(tokens)
        and tokens[close + 1].kind is Kind.NAME
        and (close + 2 < len(tokens) and tokens[close + 2].text in (";", ","))
    )
