"""What the head of a C++ declaration declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.languages.cpp import Kind, Token
from porter.surface.cpp_ends import split_commas

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


def declared_name(body: Sequence[Token]) -> tuple[str, str]:
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
                return "function", _qualified_before(body, index - 1)
    names = [k for k, t in enumerate(body) if t.kind is Kind.NAME]
    if len(names) < 2 and not (names and body[0].text == "typedef"):
        return "", ""
    last = names[-1]
    while body[last].text in SPECIFIERS and names:
        last = names.pop()
    return "variable", _qualified_before(body, last)


def _qualified_before(body: Sequence[Token], last: int) -> str:
    parts = [body[last].text]
    while last >= 2 and body[last - 1].text == "::" and body[last - 2].kind is Kind.NAME:
        last -= 2
        parts.insert(0, body[last].text)
    if last >= 1 and body[last - 1].text == "~":
        return ""
    return "::".join(parts)


def joined(tokens: Sequence[Token]) -> str:
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
