"""Where the parts of a C++ declaration end, and what its head declares, by its tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.languages.cpp_tokens import Kind, Token, closing

OPENING = frozenset({"namespace", "template", "using", "enum", "extern"})
SPECIFIERS = frozenset(
    [
        "inline",
        "static",
        "constexpr",
        "extern",
        "virtual",
        "explicit",
        "mutable",
        "typename",
        "const",
        "volatile",
        "friend",
        "thread_local",
        "consteval",
        "constinit",
        "signed",
        "unsigned",
        "long",
        "short",
    ]
)
NOT_FUNCTIONS = frozenset(
    [
        "decltype",
        "noexcept",
        "alignas",
        "alignof",
        "sizeof",
        "static_assert",
        "requires",
        "__attribute__",
        "__declspec",
        "defined",
        "if",
        "while",
        "for",
        "switch",
        "return",
        "explicit",
    ]
)


def read_declared_name(body: Sequence[Token]) -> tuple[str, str]:
    """Kind and name that the head of a declaration declares; an empty name if none."""
    depth = 0
    for index, token in enumerate(body):
        if token.text == "<" and index and body[index - 1].kind is Kind.NAME:
            depth += 1
        elif token.text == ">" and depth:
            depth -= 1
        elif token.text == "operator":
            return "function", ""
        elif token.text == "(" and depth == 0 and index:
            previous = body[index - 1]
            attribute = previous.text in NOT_FUNCTIONS or (index == 1 and previous.text.isupper())
            if previous.kind is Kind.NAME and not attribute:
                return "function", _read_qualified_name(body, index - 1)
    names = [k for k, t in enumerate(body) if t.kind is Kind.NAME]
    if len(names) < 2 and not (names and body[0].text == "typedef"):
        return "", ""
    last = names[-1]
    while body[last].text in SPECIFIERS and names:
        last = names.pop()
    return "variable", _read_qualified_name(body, last)


def _read_qualified_name(body: Sequence[Token], last: int) -> str:
    parts = [body[last].text]
    while last >= 2 and body[last - 1].text == "::" and body[last - 2].kind is Kind.NAME:
        last -= 2
        parts.insert(0, body[last].text)
    if last >= 1 and body[last - 1].text == "~":
        return ""
    return "::".join(parts)


def join(tokens: Sequence[Token]) -> str:
    return "".join(t.text for t in tokens if t.text != "typename")


def type_name(tokens: Sequence[Token]) -> str:
    """The qualified name an alias stands for, without cv and template arguments."""
    out: list[str] = []
    for token in tokens:
        if token.text == "<":
            break
        if token.text in SPECIFIERS or token.text in ("struct", "class"):
            continue
        if token.kind is not Kind.NAME and token.text != "::":
            break
        out.append(token.text)
    return "".join(out)


def bases(tokens: Sequence[Token]) -> Iterator[str]:
    words = [t for t in tokens if t.text not in ("public", "private", "protected", "virtual")]
    if not words or words[0].text != ":":
        return
    for part in split_commas(words[1:]):
        name = type_name(part)
        if name:
            yield name


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


def skip_macro(tokens: Sequence[Token], at: int) -> int | None:
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
            return index, _skip_initialiser(tokens, index)
        elif text == "{":
            return index, closing(tokens, index) + 1
        elif text == ":" and seen_parameters:
            return index, _skip_constructor(tokens, index + 1)
        elif text == "}":
            return index, index + 1
        index += 1
    return len(tokens), len(tokens)


def _skip_initialiser(tokens: Sequence[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].text != ";":
        at = closing(tokens, at) if tokens[at].text in ("(", "{", "[") else at
        at += 1
    return at + 1


def _skip_constructor(tokens: Sequence[Token], at: int) -> int:
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
