"""Where functions begin and end in a C++ file, by its tokens; preprocessor lines are left out."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from porter.languages.cpp import Kind, Token, Unit

_ATTRIBUTES = ("__attribute__", "__declspec", "alignas", "decltype", "noexcept", "throw")
_NOT_NAMES = frozenset((*_ATTRIBUTES, "requires", "if", "for", "while", "switch"))
_TYPES = frozenset(("class", "struct", "union"))
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
    def qualified(self) -> str:
        return f"{self.scope}::{self.name}" if self.scope else self.name


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

    def arguments(self, opening: int) -> list[tuple[int, int]]:
        """[first, last] of each argument in the brackets that open here; none where unbalanced."""
        end = self.pairs.get(opening)
        if end is None:
            return []
        out, first, at = [], opening + 1, opening + 1
        while at < end:
            if self.tokens[at].text == ",":
                out.append((first, at - 1))
                first = at + 1
            at = self.pairs.get(at, at) + 1
        if end > first:
            out.append((first, end - 1))
        return out

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


def read(unit: Unit) -> Code:
    """The code of a file. Never fails: where brackets do not balance, functions are missing."""
    tokens = tuple(_without_directives(unit))
    code = Code(unit, tokens, _pairs(tokens))
    classes: list[str] = []
    found = sorted(_functions(code, classes), key=lambda f: f.opening)
    code.declared = tuple(f for f in found if f.opening == f.closing)
    found = [f for f in found if f.opening != f.closing]
    code.functions, code.classes = tuple(found), tuple(classes)
    code._starts = [f.opening for f in found]
    return code


def _without_directives(unit: Unit) -> Iterator[Token]:
    end = 0
    for token in unit.tokens:
        if token.kind is Kind.DIRECTIVE:
            end = line_end(unit.data, token.end)
        elif token.start >= end:
            yield token


def line_end(data: bytes, at: int) -> int:
    """The end of a logical line."""
    while (found := data.find(b"\n", at)) != -1:
        if not data[at:found].rstrip(b"\r").endswith(b"\\"):
            return found
        at = found + 1
    return len(data)


def _pairs(tokens: Sequence[Token]) -> dict[int, int]:
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


def _functions(code: Code, classes: list[str]) -> Iterator[Function]:
    """Functions of the file's namespaces and classes; what is local to them is in them."""
    tokens, pairs = code.tokens, code.pairs
    work: list[tuple[int, int, str]] = [(0, len(tokens), "")]
    while work:
        at, end, scope = work.pop()
        head = at
        while at < end:
            text = tokens[at].text
            if text in (";", "}") or (text == ":" and tokens[at - 1].text in _ACCESS):
                name = _function_name(code, head, at) if text == ";" else ""
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
            kind, name = _kind(code, head, at)
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


_ACCESS = frozenset(("public", "private", "protected"))


def _kind(code: Code, head: int, brace: int) -> tuple[str, str]:
    """What a `{` opens, and its name."""
    tokens = code.tokens
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
        start = after_angles(code, start + 1)
    first = next((t.text for t in tokens[start:brace] if t.text not in ("typedef", "static")), "")
    if first in _TYPES and not (last == ")" and "(" in words and "=" not in words):
        return "class", _class_name(code, start, brace)
    if first == "enum":
        return "other", ""
    name = _function_name(code, start, brace)
    if name:
        return "function", name
    return "value", ""


def _class_name(code: Code, start: int, brace: int) -> str:
    name, at = "", start
    while at < brace and code.tokens[at].text not in (":", "<"):
        if code.tokens[at].text == "(":
            at = code.pairs.get(at, at)
        elif code.tokens[at].kind is Kind.NAME and code.tokens[at].text != "final":
            name = code.tokens[at].text
        at += 1
    return name


def _function_name(code: Code, start: int, brace: int) -> str:
    """The name before the parameters: the last bracketed group that is not a constructor's
    initialiser, an attribute or a specifier."""
    tokens, name, at = code.tokens, "", start
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
            at = code.pairs.get(at, at)
        at += 1
    return name


def after_angles(code: Code, at: int) -> int:
    """The index of the token after `<...>`; brackets inside are passed over."""
    depth = 0
    while at < len(code.tokens):
        text = code.tokens[at].text
        if text == "<":
            depth += 1
        elif text in (">", ">>>"):
            depth -= 1 if text == ">" else 3
            if depth <= 0:
                return at + 1
        elif text in ("{", ";"):
            return at
        elif text in ("(", "["):
            at = code.pairs.get(at, at)
        at += 1
    return at
