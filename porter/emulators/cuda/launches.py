"""Launches of CUDA kernels as calls of the emulated runtime."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from porter.languages.cpp import Kind, Token, Unit
from porter.model import Edit, Span

_LINE_END = re.compile(rb"(?<!\\)(?<!\\\r)\n")
_STATEMENTS = {"return", "else", "do", "if", "while", "for", "switch"}


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """What cannot be emulated, and where; reaching it in a kernel ends the kernel."""

    path: str
    line: int
    reason: str


def _directive_end(data: bytes, directive: Token) -> int:
    end = _LINE_END.search(data, directive.start)
    return end.start() if end else len(data)


def quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


class Source:
    """One file while it is rewritten."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.tokens = unit.tokens
        self.refusals: set[Refusal] = set()

    def refuse(self, token: Token, reason: str) -> None:
        line, _ = self.unit.position(token.start)
        self.refusals.add(Refusal(self.unit.path, line, reason))

    @cached_property
    def directives(self) -> list[int]:
        """For each token the directive it belongs to, by number from 1; 0 in ordinary code."""
        found, number, end = [], 0, -1
        for token in self.tokens:
            if token.kind is Kind.DIRECTIVE:
                number += 1
                end = _directive_end(self.unit.data, token)
            found.append(number if token.start < end else 0)
        return found

    def text(self, index: int) -> str:
        return self.tokens[index].text if index >= 0 else ""

    def level(self, index: int) -> Iterator[int]:
        """The tokens from one on that are in no bracket that opens after it, up to one that closes
        what it is in."""
        while index < len(self.tokens) and self.tokens[index].text not in (")", "]", "}"):
            yield index
            index = self._next_index(index)

    def _next_index(self, index: int) -> int:
        if self.tokens[index].text in ("(", "[", "{"):
            return self.unit.pairs.get(index, len(self.tokens)) + 1
        return index + 1

    @cached_property
    def openings(self) -> dict[int, int]:
        """The index of the opening bracket for that of each closing one."""
        return {last: first for first, last in self.unit.pairs.items()}

    def parameters(self, index: int) -> set[str]:
        """The parameters of the macro that a token is in the text of."""
        start = index
        while start > 0 and self.directives[start - 1] == self.directives[index] != 0:
            start -= 1
        if self.tokens[start].text != "#define" or self.text(start + 2) != "(":
            return set()
        name, opening = self.tokens[start + 1], self.tokens[start + 2]
        closed = self.unit.arguments(start + 2)
        if name.end != opening.start or closed is None:
            return set()
        return {t.text for t in self.tokens[start + 3 : closed[1]] if t.kind is Kind.NAME}


class Launches:
    """The launches of a file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = source.tokens

    def edits(self) -> Iterator[Edit]:
        """`k<T><<<grid, block>>>(x)` as a call of `emulated::prepare`, whose result is called."""
        for opening in self.source.unit.places("<<<"):
            if opening and self.tokens[opening - 1].text == "operator":
                continue
            first, last = self._kernel_first(opening), self._launch_end(opening)
            if first is None or last is None:
                self.source.refuse(
                    self.tokens[opening], "a launch whose parts are in different files"
                )
                continue
            before = (
                f"::emulated::prepare(::emulated::Place{{{self._name(first, opening)}, "
                "__FILE__, __LINE__}, "
                "[=](auto &...emulated_a) { "
            )
            start = self.tokens[first].start
            yield Edit(Span(start, start), before.encode())
            yield Edit(self.tokens[opening].span, b"(emulated_a...); }, ")
            yield Edit(self.tokens[last].span, b")")

    def _name(self, first: int, end: int) -> str:
        """The kernel as a string; in a macro's text, its parameters as they are given."""
        parameters = self.source.parameters(first)
        text = ""
        for k in range(first, end):
            token = self.tokens[k]
            if k > first and token.start > self.tokens[k - 1].end:
                text += " "
            if token.text in parameters:
                text += f'" #{token.text} "'
            elif token.text != "#":
                text += quote(token.text)
        return f'"{text}"'

    def _kernel_first(self, opening: int) -> int | None:
        """The first token of the expression that names the kernel: `a::b<T>`, `(f)`, `table[k]`."""
        last = opening - 1
        while last >= 0:
            while self.source.text(last) in ("]", ")"):
                bracket = self.source.openings.get(last)
                if bracket is None:
                    return None
                if not self._goes_on(bracket - 1):
                    return bracket
                last = bracket - 1
            if self.source.text(last) in (">", ">>>"):
                angle = self._angle_opening(last)
                if angle is None:
                    return None
                last = angle - 1
            if last < 0 or self.tokens[last].kind is not Kind.NAME:
                return None
            first = last - 1 if self.source.text(last - 1) == "template" else last
            join = self.source.text(first - 1)
            if join == "::" and not self._names(first - 2):
                return first - 1
            if join == "#" == self.source.text(first - 2):
                last = first - 3
            elif join in ("::", ".", "->"):
                last = first - 2
            else:
                return first
        return None

    def _names(self, index: int) -> bool:
        """Whether a name ends here, with its template arguments."""
        named = index >= 0 and self.tokens[index].kind is Kind.NAME
        return (named and self.source.text(index) not in _STATEMENTS) or self.source.text(
            index
        ) in (">", ">>>")

    def _goes_on(self, index: int) -> bool:
        """Whether what ends here can be called or indexed by the brackets that follow."""
        if self.source.text(index) == ")":  # `if (x) (k)<<<...`
            opening = self.source.openings.get(index)
            return opening is not None and self.source.text(opening - 1) not in _STATEMENTS
        return self._names(index) or self.source.text(index) == "]"

    def _angle_opening(self, index: int) -> int | None:
        """The `<` of template arguments that end at `index`."""
        depth = 0
        k = index
        while k >= 0:
            text = self.tokens[k].text
            if text in (">", ">>>"):
                depth += len(text)
            elif text == "<":
                depth -= 1
                if depth == 0:
                    return k
            elif text in (")", "]", "}"):
                inner = self.source.openings.get(k)
                if inner is None:
                    return None
                k = inner
            elif text in (";", "{", "<<<"):
                return None
            k -= 1
        return None

    def _launch_end(self, opening: int) -> int | None:
        """The `>>>` that closes a launch's configuration."""
        for k in self.source.level(opening + 1):
            text = self.tokens[k].text
            if text == ">>>":
                following = self.tokens[k + 1].text if k + 1 < len(self.tokens) else ""
                return k if following == "(" else None
            if text in (";", "<<<"):
                return None
        return None
