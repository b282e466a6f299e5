"""The tokens of C, C++ and CUDA, and which of them belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from porter.model import Span

Range = tuple[int, int]  # indices of the first and the last token


class Kind(StrEnum):
    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    PUNCTUATION = "punctuation"
    DIRECTIVE = "directive"  # '#' and the directive's word: '#include'
    HEADER = "header"  # <path> or "path" after #include


class Token(NamedTuple):
    """A tuple, since a large repository has millions of them."""

    kind: Kind
    text: str
    start: int  # bytes from the beginning of the file
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


# White space and comments are skipped before a token; nothing of them is tried twice.
_TOKEN = re.compile(
    r"""
    (?:[ \t\r\f\v\n]++|\\\r?\n|//(?:[^\n\\]++|\\\r?\n|\\)*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+)*+
    (?:
      (?P<string>(?=["'uULR])(?:
          (?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
        | (?:u8|[uUL])?"(?:[^"\\\n]++|\\.)*+"?
        | (?:u8|[uUL])?'(?:[^'\\\n]++|\\.)++'))
    | (?P<name>[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*+)
    | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=[0-9a-fA-F])|[A-Za-z0-9_.])*+)
    | (?P<punctuation><<<|>>>|::|->\*?|\.\.\.|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|.)
    )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_KINDS = {
    "name": Kind.NAME,
    "number": Kind.NUMBER,
    "string": Kind.STRING,
    "punctuation": Kind.PUNCTUATION,
}
# White space, comments and directives that a file begins with; each #include among them.
_INCLUDE = re.compile(rb'#[ \t]*include[ \t]*[<"]([^<>"\n]*)[>"][ \t]*\r?\n')
_BEGINNING = re.compile(
    rb"(?:\s++|//[^\n\\]*+\n|/\*(?:[^*]++|\*(?!/))*+\*/|#[^\n\\\"'/<]*+\n|"
    + re.sub(rb"[()]", b"", _INCLUDE.pattern)
    + rb")*+"
)
_COMMENT = re.compile(rb"//[^\n]*|/\*(?:[^*]++|\*(?!/))*+\*/")
_LINE_END = re.compile(rb"(?<!\\)(?<!\\\r)\n")
_WORD = re.compile(rb"[ \t]*([a-z_]+)")
_HEADER = re.compile(rb'[ \t]*(<[^>\n]*>|"[^"\n]*")')


def tokens(data: bytes) -> Iterator[Token]:
    """All tokens of a file but comments and white space, in order. Never fails: tokens need no
    grammar."""
    text = data.decode("latin-1")  # one character a byte, so that offsets are those of bytes
    ascii_only = text.isascii()
    make, match = partial(tuple.__new__, Token), _TOKEN.match  # `_make` without its own call
    at = 0
    while found := match(text, at):
        group: str = found.lastgroup  # type: ignore[assignment]
        start, end = found.span(group)
        word = found[group]
        begins = word == "#" and _begins_line(data, at, start)
        if begins and (directive := _WORD.match(data, end)):
            at = directive.end()
            name = directive[1].decode()
            yield Token(Kind.DIRECTIVE, "#" + name, start, at)
            header = _HEADER.match(data, at)
            if name in ("include", "include_next") and header:
                at = header.end()
                path = header[1].decode("utf-8", "replace")
                yield Token(Kind.HEADER, path, header.start(1), at)
            continue
        if not ascii_only:
            word = word.encode("latin-1").decode("utf-8", "replace")
        yield make((_KINDS[group], word, start, end))
        at = end


def first_includes(data: bytes) -> set[str]:
    """Headers that a file includes before any code; found without its tokens."""
    beginning = _BEGINNING.match(data)
    assert beginning is not None
    found = _INCLUDE.findall(_COMMENT.sub(b" ", beginning.group()))
    return {header.decode("utf-8", "replace") for header in found}


def _begins_line(data: bytes, previous: int, start: int) -> bool:
    """Whether only white space and comments stand before `start` on its (logical) line."""
    return previous == 0 or _LINE_END.search(data, previous, start) is not None


# -------------------------------------------------------------------- brackets


def line_end(data: bytes, at: int) -> int:
    """The end of the logical line of an offset: a backslash before a line end continues it."""
    while (found := data.find(b"\n", at)) != -1:
        if not data[at:found].rstrip(b"\r").endswith(b"\\"):
            return found
        at = found + 1
    return len(data)


def skip_directives(data: bytes, tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens that are in no preprocessor line."""
    end = 0
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            end = line_end(data, token.end)
        elif token.start >= end:
            yield token


def pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """The index of the closing bracket for that of each opening one that has one."""
    closes = {")": "(", "]": "[", "}": "{"}
    stacks: list[tuple[str, int]] = []
    out: dict[int, int] = {}
    for index, token in enumerate(tokens):
        if token.kind is not Kind.PUNCTUATION:
            continue
        if token.text in ("(", "[", "{"):
            stacks.append((token.text, index))
        elif token.text in closes:
            # An #if and its #else may both open a block: what is open above is given up.
            while stacks and stacks[-1][0] != closes[token.text]:
                if token.text != "}":
                    break
                stacks.pop()
            if stacks and stacks[-1][0] == closes[token.text]:
                out[stacks.pop()[1]] = index
    return out


def closing(tokens: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the end if none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        text = tokens[index].text
        depth += (text in ("(", "{", "[")) - (text in (")", "}", "]"))
        if depth == 0:
            return index
    return len(tokens)


def skip_angles(tokens: Sequence[Token], at: int, known: Mapping[int, int] | None = None) -> int:
    """The index after the `<...>` at `at`: brackets inside are passed over, by the pairs that are
    `known` or else by counting; a `{` or `;` ends what is no list of arguments."""
    depth = 0
    while at < len(tokens):
        text = tokens[at].text
        if text == "<":
            depth += 1
        elif text in (">", ">>>"):
            depth -= len(text)
            if depth <= 0:
                return at + 1
        elif text in ("{", ";"):
            return at
        elif text in ("(", "["):
            at = closing(tokens, at) if known is None else known.get(at, at)
        at += 1
    return at


def arguments(tokens: Sequence[Token], known: Mapping[int, int], opening: int) -> list[Range]:
    """The range of each argument in the brackets that open here; none where unbalanced."""
    end = known.get(opening)
    if end is None:
        return []
    out, first, at = [], opening + 1, opening + 1
    while at < end:
        if tokens[at].text == ",":
            out.append((first, at - 1))
            first = at + 1
        at = known.get(at, at) + 1
    if end > first:
        out.append((first, end - 1))
    return out
