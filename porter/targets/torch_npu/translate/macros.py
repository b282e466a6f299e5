"""A source with its own macros expanded where functions for the device use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from porter.languages.cpp import Code, Kind, Token, Unit, parse
from porter.languages.cpp_tokens import line_end
from porter.languages.edits import splice
from porter.model import Edit, Span

_DEVICE = frozenset(("__global__", "__device__"))
_PAIRS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class _Word(NamedTuple):
    text: str
    apart: bool  # white space before it


@dataclass(frozen=True, slots=True)
class _Macro:
    parameters: tuple[str, ...] | None
    body: tuple[_Word, ...]


def expand(unit: Unit) -> Unit:
    """The same lines; numbers that are `#define`d keep their names."""
    found = _read_defines(unit)
    if not found:
        return unit
    code, edits = unit.code, list[Edit]()
    for function in code.functions:
        if any(t.text in _DEVICE for t in code.tokens[function.head : function.opening]):
            edits += _expand_within(code, function.opening, function.closing, found)
    return parse(splice(unit.data, set(edits)), unit.path) if edits else unit


def _read_defines(unit: Unit) -> dict[str, _Macro]:
    out: dict[str, _Macro] = {}
    twice: set[str] = set()
    for at in unit.places("#undef"):
        twice.add(unit.tokens[at + 1].text)
    for at in unit.places("#define"):
        made = _definition(unit, at)
        name = unit.tokens[at + 1].text if at + 1 < len(unit.tokens) else ""
        if made is None or out.get(name, made) != made:
            twice.add(name)
        else:
            out[name] = made
    return {name: macro for name, macro in out.items() if name not in twice}


def _definition(unit: Unit, at: int) -> _Macro | None:
    tokens, end = unit.tokens, line_end(unit.data, unit.tokens[at].end)
    last = at + 1
    while last < len(tokens) and tokens[last].start < end:
        last += 1
    line = tokens[at + 1 : last]
    if not line or line[0].kind is not Kind.NAME:
        return None
    parameters: tuple[str, ...] | None = None
    rest = line[1:]
    if rest and rest[0].text == "(" and rest[0].start == line[0].end:
        close = next((k for k, t in enumerate(rest) if t.text == ")"), None)
        if close is None:
            return None
        names = rest[1:close]
        if any(t.kind is not Kind.NAME and t.text != "," for t in names):
            return None
        parameters = tuple(t.text for t in names if t.text != ",")
        rest = rest[close + 1 :]
    if not rest or (parameters is None and len(rest) == 1 and rest[0].kind is Kind.NUMBER):
        return None
    if any(t.text == "#" or t.kind is Kind.DIRECTIVE for t in rest):
        return None
    return _Macro(parameters, tuple(_words(rest)))


def _words(tokens: Sequence[Token]) -> list[_Word]:
    out, end = [], -1
    for token in tokens:
        out.append(_Word(token.text, token.start != end))
        end = token.end
    return out


def _expand_within(code: Code, first: int, last: int, macros: Mapping[str, _Macro]) -> list[Edit]:
    tokens, edits, at = code.tokens, list[Edit](), first
    while at < last:
        macro = macros.get(tokens[at].text) if tokens[at].kind is Kind.NAME else None
        if macro is None or tokens[at - 1].text in (".", "->", "::"):
            at += 1
            continue
        end = at
        if macro.parameters is not None:
            closing = code.pairs.get(at + 1)
            if tokens[at + 1].text != "(" or closing is None or closing > last:
                at += 1
                continue
            end = closing
        words = _expand(_words(tokens[at : end + 1]), macros, frozenset())
        span = Span(tokens[at].start, tokens[end].end)
        lines = code.unit.data.count(b"\n", span.start, span.end)
        text = "".join((" " if word.apart else "") + word.text for word in words)
        edits.append(Edit(span, (text + " " + "\n" * lines).encode()))
        at = end + 1
    return edits


def _expand(
    words: Sequence[_Word], macros: Mapping[str, _Macro], inside: frozenset[str]
) -> list[_Word]:
    out: list[_Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        macro = macros.get(word.text)
        if macro is None or word.text in inside:
            out.append(word)
            at += 1
            continue
        given: dict[str, list[_Word]] = {}
        if macro.parameters is not None:
            arguments, end = _arguments(words, at + 1)
            if len(arguments) != len(macro.parameters):
                out.append(word)
                at += 1
                continue
            at = end
            given = {
                name: _expand(argument, macros, inside)
                for name, argument in zip(macro.parameters, arguments, strict=True)
            }
        body: list[_Word] = []
        for part in macro.body:
            taken = given.get(part.text)
            body += (
                [part]
                if taken is None
                else [_Word(w.text, True) if k == 0 else w for k, w in enumerate(taken)]
            )
        if body:
            body[0] = _Word(body[0].text, True)
        out += _expand(body, macros, inside | {word.text})
        at += 1
        if at < len(words):
            words = [*words[:at], _Word(words[at].text, True), *words[at + 1 :]]
    return out


def _arguments(words: Sequence[_Word], opening: int) -> tuple[list[list[_Word]], int]:
    """What stands between the commas, and the place of the closing bracket; none without any."""
    if opening >= len(words) or words[opening].text != "(":
        return [], opening
    out: list[list[_Word]] = [[]]
    depth = 0
    for at in range(opening, len(words)):
        text = words[at].text
        depth += _PAIRS.get(text, 0)
        if depth == 0:
            return (out if out != [[]] else []), at
        if at == opening:
            continue
        if text == "," and depth == 1:
            out.append([])
        else:
            out[-1].append(words[at])
    return [], opening
