"""Where functions begin and end in the tokens of C++ code without preprocessor lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.languages.cpp_tokens import Kind, Token, after_angles

Pairs = Mapping[int, int]  # of brackets, opening -> closing

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
    def qualified(self) -> str:
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
        start = after_angles(tokens, start + 1, pairs)
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
