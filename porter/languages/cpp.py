"""C, C++ and CUDA by tokens: comments, strings and macros never confuse it, launches included."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from porter.languages.cpp_functions import Function, functions
from porter.languages.cpp_tokens import (
    Kind,
    Range,
    Token,
    after_angles,
    arguments,
    line_end,
    pairs,
    tokens,
    without_directives,
)
from porter.languages.text import Text
from porter.model import Span

__all__ = ["Code", "Function", "Kind", "Token", "Unit", "parse"]


@dataclass
class Unit(Text):
    """One C-family file as tokens."""

    near: Callable[[str], bytes | None] = lambda path: None  # other files of the repository

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens but comments and white space, in order."""
        return tuple(tokens(self.data))

    @cached_property
    def includes(self) -> tuple[tuple[str, Token], ...]:
        """(header without its brackets, its token) for each #include."""
        return tuple((t.text[1:-1], t) for t in self.tokens if t.kind is Kind.HEADER)

    @cached_property
    def code(self) -> Code:
        """The functions and classes of the file, and its tokens without preprocessor lines."""
        return _code(self)

    def offset(self, line: int) -> int:
        """Where a line begins."""
        return self.starts[line - 1]

    def line_start(self, offset: int) -> Span:
        """The empty span at the beginning of the line of an offset."""
        start = self.offset(self.position(offset)[0])
        return Span(start, start)

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

    def directive_end(self, at: int) -> int:
        """The index after the last token of the preprocessor line that begins with token `at`."""
        end = line_end(self.data, self.tokens[at].end)
        return bisect.bisect_left(self.tokens, end, at, key=lambda token: token.start)

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

    @cached_property
    def pairs(self) -> dict[int, int]:
        """The index of the closing bracket for that of each opening one."""
        return pairs(self.tokens)

    def arguments(self, opening: int) -> tuple[list[Range], int] | None:
        """Token ranges of the comma-separated arguments after `(` at `opening`, and the index of
        the closing `)`; None where brackets do not balance."""
        end = self.pairs.get(opening)
        return None if end is None else (arguments(self.tokens, self.pairs, opening), end)


@dataclass(slots=True)
class Code:
    """The tokens of a file that are no preprocessor lines, with the pairs of its brackets."""

    unit: Unit
    tokens: tuple[Token, ...] = ()
    pairs: dict[int, int] = field(default_factory=dict)  # opening -> closing, all brackets
    functions: tuple[Function, ...] = ()
    declared: tuple[Function, ...] = ()  # without a body
    classes: tuple[str, ...] = ()  # qualified
    _starts: list[int] = field(default_factory=list)
    _index: dict[str, list[int]] = field(default_factory=dict)

    def inside(self, index: int) -> Function | None:
        """The innermost function around a token."""
        place = bisect.bisect_right(self._starts, index) - 1
        while place >= 0:
            function = self.functions[place]
            if function.opening <= index <= function.closing:
                return function
            place -= 1
        return None

    def line(self, index: int) -> int:
        return self.unit.position(self.tokens[index].start)[0]

    def arguments(self, opening: int) -> list[Range]:
        """[first, last] of each argument in the brackets that open here; none where unbalanced."""
        return arguments(self.tokens, self.pairs, opening)

    def after_angles(self, at: int) -> int:
        """The index of the token after `<...>`; brackets inside are passed over."""
        return after_angles(self.tokens, at, self.pairs)

    def text(self, first: int, last: int) -> str:
        """The tokens joined, without white space."""
        return "".join(token.text for token in self.tokens[first : last + 1])

    def places(self, *texts: str) -> list[int]:
        """Indices of the tokens with one of these texts, in order."""
        if len(texts) == 1:
            return self.index.get(texts[0], [])
        return sorted(place for text in set(texts) for place in self.index.get(text, ()))

    def begun(self, *beginnings: str) -> list[int]:
        """Indices of the tokens that begin with one of these, in order."""
        texts = (text for text in self.index if text.startswith(beginnings))
        return sorted(place for text in texts for place in self.index[text])

    @property
    def index(self) -> dict[str, list[int]]:
        """Where each text is, among the tokens."""
        if not self._index:
            for place, token in enumerate(self.tokens):
                self._index.setdefault(token.text, []).append(place)
        return self._index


def _code(unit: Unit) -> Code:
    """The code of a file. Never fails: where brackets do not balance, functions are missing."""
    kept = tuple(without_directives(unit.data, unit.tokens))
    known = pairs(kept)
    found, classes = functions(kept, known)
    bodies = tuple(f for f in found if f.opening != f.closing)
    return Code(
        unit,
        kept,
        known,
        functions=bodies,
        declared=tuple(f for f in found if f.opening == f.closing),
        classes=classes,
        _starts=[f.opening for f in bodies],
    )


def parse(data: bytes, path: str) -> Unit:
    """Tokenise a file; never fails, since tokens need no grammar."""
    return Unit(data, path)
