"""C, C++ and CUDA by tokens: comments, strings and macros never confuse it, launches included."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from porter.languages.text import Lines, newline
from porter.model import Span

if TYPE_CHECKING:
    from porter.languages.functions import Code


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
_LINE_END = re.compile(rb"(?<!\\)(?<!\\\r)\n")
_WORD = re.compile(rb"[ \t]*([a-z_]+)")
_HEADER = re.compile(rb'[ \t]*(<[^>\n]*>|"[^"\n]*")')


@dataclass
class Unit:
    """One C-family file as tokens. `path` is posix from the repository root."""

    data: bytes
    path: str
    near: Callable[[str], bytes | None] = lambda path: None  # other files of the repository
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

    @cached_property
    def code(self) -> Code:
        """The functions and classes of the file, and its tokens without preprocessor lines."""
        from porter.languages.functions import read

        return read(self)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1, bytes) of an offset."""
        return self._lines.position(offset)

    def offset(self, line: int) -> int:
        """Where a line begins."""
        return self._lines.starts[line - 1]

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

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for index, token in enumerate(self.tokens):
            places[token.text].append(index)
        return dict(places)

    def places(self, *texts: str) -> list[int]:
        """Indices of the tokens with one of these texts, in order."""
        if len(texts) == 1:
            return self._places.get(texts[0], [])
        return sorted(index for text in set(texts) for index in self._places.get(text, ()))

    def find(self, *pattern: str) -> Iterator[int]:
        """Indices where the tokens have exactly these texts in a row (`c10 :: cuda`)."""
        tokens = self.tokens
        for index in self.places(pattern[0]):
            if index + len(pattern) <= len(tokens) and all(
                tokens[index + k].text == text for k, text in enumerate(pattern)
            ):
                yield index

    def qualified(self) -> Iterator[tuple[str, int, int]]:
        """(`a::b::c`, first token, last token) for each longest qualified name."""
        return iter(self._qualified)

    @cached_property
    def _qualified(self) -> tuple[tuple[str, int, int], ...]:
        tokens = self.tokens
        found: list[tuple[str, int, int]] = []
        end = 0  # of the name found last
        for colons in self.places("::"):
            if colons < max(end, 1) or tokens[colons - 1].kind is not Kind.NAME:
                continue
            last = colons - 1
            while (
                last + 2 < len(tokens)
                and tokens[last + 1].text == "::"
                and tokens[last + 2].kind is Kind.NAME
            ):
                last += 2
            if last >= colons:
                name = "::".join(tokens[k].text for k in range(colons - 1, last + 1, 2))
                found.append((name, colons - 1, last))
                end = last + 1
        return tuple(found)

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
    text = data.decode("latin-1")  # one character a byte, so that offsets are those of bytes
    ascii_only = text.isascii()
    make, match = Token._make, _TOKEN.match
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


def _begins_line(data: bytes, previous: int, start: int) -> bool:
    """Whether only white space and comments stand before `start` on its (logical) line."""
    return previous == 0 or _LINE_END.search(data, previous, start) is not None
