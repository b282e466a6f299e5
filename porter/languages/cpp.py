"""C, C++ and CUDA by tokens: comments, strings and macros never confuse it, launches included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from porter.languages.text import Lines, newline
from porter.model import Span


class Kind(StrEnum):
    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    PUNCTUATION = "punctuation"
    DIRECTIVE = "directive"  # '#' and the directive's word: '#include'
    HEADER = "header"  # <path> or "path" after #include


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    span: Span


_TOKEN = re.compile(
    rb"""
      (?P<space>[ \t\r\f\v]+|\\\r?\n)
    | (?P<newline>\n)
    | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))
    | (?P<raw>(?:u8|[uUL])?R"(?P<delim>[^()\\\s]{0,16})\(.*?\)(?P=delim)")
    | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"?)
    | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
    | (?P<name>[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*)
    | (?P<number>\.?[0-9](?:[eEpP][+-]|'(?=[0-9a-fA-F])|[A-Za-z0-9_.])*)
    | (?P<punctuation><<<|>>>|::|->\*?|\.\.\.|[-+*/%&|^=!<>]=|&&|\|\||\+\+|--|<<|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_HEADER = re.compile(rb'[ \t]*(<[^>\n]*>|"[^"\n]*")')


@dataclass
class Unit:
    """One C-family file as tokens. `path` is posix from the repository root."""

    data: bytes
    path: str
    _lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        self._lines = Lines(self.data)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens but comments and white space, in order."""
        return tuple(_tokens(self.data))

    @cached_property
    def includes(self) -> tuple[tuple[str, Token], ...]:
        """(header without its brackets, its token) for each #include."""
        return tuple((t.text[1:-1], t) for t in self.tokens if t.kind is Kind.HEADER)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1, bytes) of an offset."""
        return self._lines.position(offset)

    def line_start(self, offset: int) -> Span:
        """The empty span at the beginning of the line of an offset."""
        line, _ = self._lines.position(offset)
        start = self._lines.starts[line - 1]
        return Span(start, start)

    def encode(self, text: str) -> bytes:
        """Text with `\\n` to bytes with this file's line ending."""
        return text.encode().replace(b"\n", newline(self.data))

    def text(self, first: int, last: int) -> str:
        """The source from token `first` up to and with token `last`, as written."""
        start, end = self.tokens[first].span.start, self.tokens[last].span.end
        return self.data[start:end].decode("utf-8", "surrogateescape")

    def find(self, *pattern: str) -> Iterator[int]:
        """Indices where the tokens have exactly these texts in a row (`c10 :: cuda`)."""
        tokens = self.tokens
        for index in range(len(tokens) - len(pattern) + 1):
            if all(tokens[index + k].text == text for k, text in enumerate(pattern)):
                yield index

    def qualified(self) -> Iterator[tuple[str, int, int]]:
        """(`a::b::c`, first token, last token) for each longest qualified name."""
        tokens = self.tokens
        index = 0
        while index < len(tokens):
            if tokens[index].kind is not Kind.NAME:
                index += 1
                continue
            last = index
            while (
                last + 2 < len(tokens)
                and tokens[last + 1].text == "::"
                and tokens[last + 2].kind is Kind.NAME
            ):
                last += 2
            if last > index:
                name = "::".join(tokens[k].text for k in range(index, last + 1, 2))
                yield name, index, last
            index = last + 1

    def arguments(self, opening: int) -> tuple[list[tuple[int, int]], int] | None:
        """Token ranges [first, last] of the comma-separated arguments after `(` at `opening`,
        and the index of the closing `)`; None where brackets do not balance."""
        pairs = {"(": ")", "[": "]", "{": "}"}
        stack = [")"]
        ranges: list[tuple[int, int]] = []
        first = opening + 1
        for index in range(opening + 1, len(self.tokens)):
            token = self.tokens[index]
            if token.kind is not Kind.PUNCTUATION:
                continue
            if token.text in pairs:
                stack.append(pairs[token.text])
            elif token.text in (")", "]", "}"):
                if token.text != stack.pop():
                    return None
                if not stack:
                    if index > first:
                        ranges.append((first, index - 1))
                    return ranges, index
            elif token.text == "," and len(stack) == 1:
                ranges.append((first, index - 1))
                first = index + 1
        return None


def parse(data: bytes, path: str) -> Unit:
    """Tokenise a file; never fails, since tokens need no grammar."""
    return Unit(data, path)


def _tokens(data: bytes) -> Iterator[Token]:
    at, size = 0, len(data)
    line_begins = True
    kinds = {
        "name": Kind.NAME,
        "number": Kind.NUMBER,
        "raw": Kind.STRING,
        "string": Kind.STRING,
        "char": Kind.STRING,
        "punctuation": Kind.PUNCTUATION,
    }
    while at < size:
        match = _TOKEN.match(data, at)
        if match is None:  # a byte no rule knows
            at += 1
            continue
        group = match.lastgroup if match.lastgroup != "delim" else "raw"
        end = match.end()
        if group == "newline":
            line_begins = True
        elif group in kinds:
            text = data[at:end].decode("utf-8", "replace")
            if text == "#" and line_begins:
                word = re.compile(rb"[ \t]*([a-z_]+)").match(data, end)
                if word:
                    end = word.end()
                    name = word.group(1).decode()
                    yield Token(Kind.DIRECTIVE, "#" + name, Span(at, end))
                    header = _HEADER.match(data, end)
                    if name in ("include", "include_next") and header:
                        span = Span(header.start(1), header.end(1))
                        yield Token(Kind.HEADER, header.group(1).decode("utf-8", "replace"), span)
                        end = header.end()
                    at, line_begins = end, False
                    continue
            yield Token(kinds[group], text, Span(at, end))
            line_begins = False
        at = end
