"""The tokens of the tree's sources that messages point at: they say the column where a compiler
gives none, and the name that is missing where a message names nothing.

nvcc says a line and shows it with its macros expanded, a caret below.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

from porter.build.causes import Cause, explain, missing_name_cause, no_overload
from porter.languages import cpp
from porter.model import Diagnostic

_LARGEST = 2_000_000  # bytes of a file worth reading for this
EDG = re.compile(
    r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<m>.+)$"
)
Shown = dict[tuple[str, int, str], list[tuple[str, int]]]  # file, line, message: text and caret
_NOTES = 100  # lines below an error in which to look for the caret
_QUALIFIER = re.compile(r'^name followed by "::" must be ')
_DECLARATION = re.compile(r"^this declaration has no storage|^qualified name is not allowed")
_BEFORE = re.compile(
    r"^expected (?:constructor, destructor, or type conversion before .\("
    r"|(?:class|template)-name before)"
)
_CALL = re.compile(r"^too (?:many|few) arguments in function call")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")


class Token(NamedTuple):
    text: str
    line: int
    column: int


@dataclass(slots=True)
class Sources:
    """Files below a tree; one that is not there, or too large, has no tokens."""

    tree: Path
    _units: dict[str, cpp.Unit | None] = field(default_factory=dict)
    _lines: dict[str, dict[int, list[Token]]] = field(default_factory=dict)

    def unit(self, path: str) -> cpp.Unit | None:
        if path not in self._units:
            full = self.tree / path
            readable = os.path.isfile(full) and full.stat().st_size <= _LARGEST  # noqa: PTH113 - no name is too long
            self._units[path] = cpp.parse(full.read_bytes(), path) if readable else None
        return self._units[path]

    def line(self, path: str, number: int) -> list[Token]:
        """The tokens that begin on a line of a file."""
        if path not in self._lines:
            self._lines[path] = defaultdict(list)
            unit = self.unit(path)
            for token in unit.tokens if unit else ():
                place = unit.position(token.start) if unit else (0, 0)
                self._lines[path][place[0]].append(Token(token.text, *place))
        return self._lines[path].get(number, [])

    def statement(self, path: str, number: int) -> list[Token]:
        """The tokens of a line, and of those after it up to where its brackets close."""
        found = list(self.line(path, number))
        depth, last = _depth(found), max(self._lines[path], default=0)
        while depth > 0 and number < last:
            number += 1
            more = self.line(path, number)
            found += more
            depth += _depth(more)
        return found


def _depth(tokens: Iterable[Token]) -> int:
    """How many parentheses are left open."""
    return sum((token.text == "(") - (token.text == ")") for token in tokens)


def read_shown_lines(text: str, placed: Callable[[str], str]) -> Shown:
    """What nvcc shows below its errors: the line, and the offset of the caret in it."""
    lines = text.splitlines()
    found: Shown = defaultdict(list)
    for number, line in enumerate(lines):
        error = EDG.match(line)
        if error is None:
            continue
        below = takewhile(str.strip, islice(lines, number + 1, number + _NOTES))
        for text, caret in pairwise(below):  # notes may stand between
            if caret.strip() == "^":
                key = placed(error["path"]), int(error["line"][-9:]), error["m"].strip()
                found[key].append((text, caret.index("^")))
                break
    return found


def add_columns(
    found: Iterable[Diagnostic], carets: Shown, sources: Sources
) -> tuple[Diagnostic, ...]:
    """The diagnostics, those of nvcc with a column where one can be told; what was said of
    several places of a line is repeated for each."""
    return tuple(one for item in found for one in _each(item, carets, sources))


def _each(item: Diagnostic, carets: Shown, sources: Sources) -> Iterator[Diagnostic]:
    if item.tool != "nvcc" or item.column or not item.line or Path(item.path).is_absolute():
        yield item
        return
    own = sources.statement(item.path, item.line)
    pointed = carets.get((item.path, item.line, item.message), ())
    known = [token for text, caret in pointed if (token := _find_pointed(text, caret, own))]
    for token in dict.fromkeys(known or _find_by_name(item, own)):
        yield replace(item, line=token.line, column=token.column)
    if not known and not _find_by_name(item, own):
        yield item


def _find_pointed(text: str, caret: int, own: Sequence[Token]) -> Token | None:
    """The token of the source that the caret is below in the line as it is shown.

    A macro's arguments are shown on its first line, perhaps several times.
    """
    tokens = cpp.parse(text.encode(), "").tokens
    at = next((i for i, t in enumerate(tokens) if t.start <= caret < t.end), None)
    if at is None:
        return None
    there, here = [token.text for token in tokens], [token.text for token in own]
    wanted = _neighbours(there, at)
    same = [i for i in range(len(here)) if _neighbours(here, i) == wanted]
    if same:
        before = sum(_neighbours(there, i) == wanted for i in range(at))
        return own[same[before % len(same)]]
    words = [i for i, word in enumerate(here) if word == there[at] and _is_name(word)]
    macros = [i for i, word in enumerate(here) if _is_name(word) and word not in there]
    return next((own[i] for i in (*words, *macros)), None)


def _neighbours(words: Sequence[str], at: int) -> tuple[str, ...]:
    """A word with its neighbours."""
    return tuple(words[max(at - 1, 0) : at + 2])


def _is_name(word: str) -> bool:
    return word[0].isalpha() or word[0] == "_"


def _find_by_name(item: Diagnostic, own: Sequence[Token]) -> list[Token]:
    name = (item.name or "").rpartition("::")[2].removeprefix("operator")
    return [token for token in own if token.text == name][:1]


def add_names(found: Iterable[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """The diagnostics, those that point at an unknown name with the name."""
    return tuple(_add_name(item, sources) for item in found)


def _add_name(item: Diagnostic, sources: Sources) -> Diagnostic:
    if item.name is not None or not item.column:
        return item
    tokens = sources.line(item.path, item.line)
    at = next((i for i, token in enumerate(tokens) if token.column == item.column), None)
    known = _cause(item.message, tokens, at) if at is not None else None
    return item if known is None else explain(item, known)


def _cause(message: str, tokens: Sequence[Token], at: int) -> Cause | None:
    if _QUALIFIER.match(message) and _NAME.match(tokens[at].text):
        return missing_name_cause(_read_qualified_name(tokens, at))
    if _BEFORE.match(message) and at and _NAME.match(tokens[at - 1].text):
        return missing_name_cause(_read_qualified_name(tokens, at - 1))
    if _DECLARATION.match(message) and _NAME.match(tokens[at].text):
        last = at
        while last + 2 < len(tokens) and tokens[last + 1].text == "::":
            last += 2
        follows = tokens[last + 1].text if last + 1 < len(tokens) else ""
        return (
            missing_name_cause(_read_qualified_name(tokens, last))
            if follows in ("(", "<")
            else None
        )
    if _CALL.match(message):
        opening = _opening(tokens, at)
        if opening and _NAME.match(tokens[opening - 1].text):
            return no_overload(_read_qualified_name(tokens, opening - 1))
    return None


def _read_qualified_name(tokens: Sequence[Token], at: int) -> str:
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
