"""Messages that name nothing: the tokens they point at say what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from porter.build.causes import Cause, missing_name, no_overload
from porter.build.sources import Sources, Token
from porter.model import Diagnostic

_QUALIFIER = re.compile(r'^name followed by "::" must be ')
_DECLARATION = re.compile(r"^this declaration has no storage|^qualified name is not allowed")
_BEFORE = re.compile(r"^expected constructor, destructor, or type conversion before .\(. token")
_CALL = re.compile(r"^too (?:many|few) arguments in function call")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")


def named(found: Iterable[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """The diagnostics, those that point at an unknown name with the name."""
    return tuple(_named(item, sources) for item in found)


def _named(item: Diagnostic, sources: Sources) -> Diagnostic:
    if item.name is not None or not item.column:
        return item
    tokens = sources.line(item.path, item.line)
    at = next((i for i, token in enumerate(tokens) if token.column == item.column), None)
    known = _cause(item.message, tokens, at) if at is not None else None
    if known is None:
        return item
    return replace(item, cause=known.text, name=known.name, scope=known.scope)


def _cause(message: str, tokens: Sequence[Token], at: int) -> Cause | None:
    if _QUALIFIER.match(message) and _NAME.match(tokens[at].text):
        return missing_name(_before(tokens, at))
    if _BEFORE.match(message) and at and _NAME.match(tokens[at - 1].text):
        return missing_name(_before(tokens, at - 1))
    if _DECLARATION.match(message) and _NAME.match(tokens[at].text):
        last = at
        while last + 2 < len(tokens) and tokens[last + 1].text == "::":
            last += 2
        follows = tokens[last + 1].text if last + 1 < len(tokens) else ""
        return missing_name(_before(tokens, last)) if follows in ("(", "<") else None
    if _CALL.match(message):
        opening = _opening(tokens, at)
        if opening and _NAME.match(tokens[opening - 1].text):
            return no_overload(_before(tokens, opening - 1))
    return None


def _before(tokens: Sequence[Token], at: int) -> str:
    """The qualified name that ends with a token."""
    first = at
    while first >= 2 and tokens[first - 1].text == "::" and _NAME.match(tokens[first - 2].text):
        first -= 2
    return "".join(token.text for token in tokens[first : at + 1])


def _opening(tokens: Sequence[Token], at: int) -> int:
    """The index of the parenthesis that is open at a token, 0 where it is on another line."""
    depth = 0
    for index in range(at - 1, 0, -1):
        depth += (tokens[index].text in ")]}") - (tokens[index].text in "([{")
        if depth < 0:
            return index
    return 0
