"""C, C++ and CUDA by tokens: comments, strings and macros never confuse it, launches included."""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from porter.languages.cpp_tokens import (
    Kind,
    Range,
    Token,
    arguments,
    line_end,
    pairs,
    skip_angles,
    skip_directives,
    tokens,
)
from porter.languages.text import Text
from porter.model import Span

Pairs = Mapping[int, int]  # of brackets, opening -> closing
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc", ".ipp")  # ends of their names

_ATTRIBUTES = ("__attribute__", "__declspec", "alignas", "decltype", "noexcept", "throw")
_NOT_NAMES = frozenset((*_ATTRIBUTES, "requires", "if", "for", "while", "switch"))
_TYPES = frozenset(("class", "struct", "union"))
_ACCESS = frozenset(("public", "private", "protected"))
LONGEST = 1000  # tokens before a body; more of them are looked at again for each `{`


@dataclass(frozen=True, slots=True)
class Function:
    """A function, with its body or only declared; indices are those of `Code.tokens`."""

    name: str
    scope: str  # the namespaces and classes around it, `a::B`
    head: int
    opening: int  # of the body, else where the declaration ends
    closing: int  # the same as `opening` where there is no body

    @property
    def full_name(self) -> str:
        return f"{self.scope}::{self.name}" if self.scope else self.name


def functions(
    tokens: Sequence[Token], pairs: Pairs
) -> tuple[tuple[Function, ...], tuple[str, ...]]:
    """Return the functions of a file's namespaces and classes, ordered by their bodies, and the
    qualified names of the classes. What is local to a function is in it."""
    classes: list[str] = []
    found = sorted(_functions(tokens, pairs, classes), key=lambda f: f.opening)
    return tuple(found), tuple(classes)


def _functions(tokens: Sequence[Token], pairs: Pairs, classes: list[str]) -> Iterator[Function]:
    work: list[tuple[int, int, str]] = [(0, len(tokens), "")]
    while work:
        at, end, scope = work.pop()
        head = at
        while at < end:
            text = tokens[at].text
            if text in (";", "}") or (text == ":" and tokens[at - 1].text in _ACCESS):
                name = _function_name(tokens, pairs, head, at) if text == ";" else ""
                if name:
                    yield Function(name, scope, head, at, at)
                head = at = at + 1
                continue
            if text in ("(", "["):
                at = pairs.get(at, at) + 1
                continue
            if text != "{":
                at += 1
                continue
            close = pairs.get(at)
            if close is None:
                head = at = at + 1
                continue
            kind, name = _kind(tokens, pairs, head, at)
            if kind == "function":
                yield Function(name, scope, head, at, close)
            elif kind in ("namespace", "class"):
                inner = "::".join(part for part in (scope, name) if part)
                work.append((at + 1, close, inner))
                if kind == "class":
                    classes.append(inner)
            at = close + 1
            if kind != "value" or at - head > LONGEST:  # `= {` and `x{`: the statement goes on
                head = at


def _kind(tokens: Sequence[Token], pairs: Pairs, head: int, brace: int) -> tuple[str, str]:
    """What a `{` opens, and its name."""
    words = {t.text for t in tokens[head:brace]}
    if brace - head == 2 and tokens[head].text == "extern":
        return "namespace", ""
    if "namespace" in words:
        names = (t.text for t in tokens[head:brace] if t.kind is Kind.NAME or t.text == "::")
        return "namespace", "".join(n for n in names if n not in ("namespace", "inline"))
    last = tokens[brace - 1].text if brace > head else ""
    if last in ("=", ",", "return", "]", "("):
        return "value", ""
    start = head
    while start < brace and tokens[start].text == "template":
        start = skip_angles(tokens, start + 1, pairs)
    first = next((t.text for t in tokens[start:brace] if t.text not in ("typedef", "static")), "")
    if first in _TYPES and not (last == ")" and "(" in words and "=" not in words):
        return "class", _class_name(tokens, pairs, start, brace)
    if first == "enum":
        return "other", ""
    name = _function_name(tokens, pairs, start, brace)
    if name:
        return "function", name
    return "value", ""


def _class_name(tokens: Sequence[Token], pairs: Pairs, start: int, brace: int) -> str:
    name, at = "", start
    while at < brace and tokens[at].text not in (":", "<"):
        if tokens[at].text == "(":
            at = pairs.get(at, at)
        elif tokens[at].kind is Kind.NAME and tokens[at].text != "final":
            name = tokens[at].text
        at += 1
    return name


def _function_name(tokens: Sequence[Token], pairs: Pairs, start: int, brace: int) -> str:
    """The name before the parameters: the last bracketed group that is not a constructor's
    initialiser, an attribute or a specifier."""
    name, at = "", start
    while at < brace:
        text = tokens[at].text
        if text == ":" and name:
            break
        if text == "=" and not name:
            return ""
        if text == "(":
            before = tokens[at - 1]
            if before.kind is Kind.NAME and before.text not in _NOT_NAMES and at > start:
                name = before.text
            elif at > start and before.text == ")" and not name:
                name = "operator()"
            at = pairs.get(at, at)
        at += 1
    return name


__all__ = ["Code", "Function", "Kind", "Token", "Unit", "parse"]


@dataclass
class Unit(Text):
    """One C-family file as tokens."""

    near: Callable[[str], bytes | None] = lambda path: None  # other files of the repository

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens but comments and white space, in order."""
        return tuple(tokens(self.data))

    def comments(self) -> Iterator[Span]:
        at = 0
        for token in self.tokens:
            if token.start > at:
                yield Span(at, token.start)
            at = token.end
        yield Span(at, len(self.data))

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

    def full_names(self) -> Iterator[tuple[str, int, int]]:
        """(`a::b::c`, first token, last token) for each longest qualified name."""
        return iter(self._full_names)

    @cached_property
    def _full_names(self) -> tuple[tuple[str, int, int], ...]:
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

    def function_at(self, index: int) -> Function | None:
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

    def skip_angles(self, at: int) -> int:
        """The index of the token after `<...>`; brackets inside are passed over."""
        return skip_angles(self.tokens, at, self.pairs)

    def text(self, first: int, last: int) -> str:
        """The tokens joined, without white space."""
        return "".join(token.text for token in self.tokens[first : last + 1])

    def places(self, *texts: str) -> list[int]:
        """Indices of the tokens with one of these texts, in order."""
        if len(texts) == 1:
            return self.index.get(texts[0], [])
        return sorted(place for text in set(texts) for place in self.index.get(text, ()))

    def places_with_prefix(self, *beginnings: str) -> list[int]:
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
    kept = tuple(skip_directives(unit.data, unit.tokens))
    known = pairs(kept)
    found, classes = functions(kept, known)
    bodies = tuple(f for f in found if f.opening != f.closing)
    return Code(
        copy(unit),  # no cycle, which would hold the tokens until Python looks for it
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
