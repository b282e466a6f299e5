"""nvcc says a line and shows it with its macros expanded, a caret below: the tokens of the source's
own line decide the column."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise, takewhile
from pathlib import Path

from porter.build.sources import Sources, Token
from porter.languages import cpp
from porter.model import Diagnostic

EDG = re.compile(
    r"^(?P<path>[^\s(][^(]*)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<m>.+)$"
)
Shown = dict[tuple[str, int, str], list[tuple[str, int]]]  # file, line, message: text and caret
_NOTES = 100  # lines below an error in which to look for the caret


def shown(text: str, placed: Callable[[str], str]) -> Shown:
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


def columned(
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
    known = [token for text, caret in pointed if (token := _pointed(text, caret, own))]
    for token in dict.fromkeys(known or _named(item, own)):
        yield replace(item, line=token.line, column=token.column)
    if not known and not _named(item, own):
        yield item


def _pointed(text: str, caret: int, own: Sequence[Token]) -> Token | None:
    """The token of the source that the caret is below in the line as it is shown.

    A macro's arguments are shown on its first line, perhaps several times.
    """
    tokens = cpp.parse(text.encode(), "").tokens
    at = next((i for i, t in enumerate(tokens) if t.start <= caret < t.end), None)
    if at is None:
        return None
    there, here = [token.text for token in tokens], [token.text for token in own]
    wanted = _around(there, at)
    same = [i for i in range(len(here)) if _around(here, i) == wanted]
    if same:
        before = sum(_around(there, i) == wanted for i in range(at))
        return own[same[before % len(same)]]
    words = [i for i, word in enumerate(here) if word == there[at] and _is_name(word)]
    macros = [i for i, word in enumerate(here) if _is_name(word) and word not in there]
    return next((own[i] for i in (*words, *macros)), None)


def _around(words: Sequence[str], at: int) -> tuple[str, ...]:
    """A word with its neighbours."""
    return tuple(words[max(at - 1, 0) : at + 2])


def _is_name(word: str) -> bool:
    return word[0].isalpha() or word[0] == "_"


def _named(item: Diagnostic, own: Sequence[Token]) -> list[Token]:
    name = (item.name or "").rpartition("::")[2].removeprefix("operator")
    return [token for token in own if token.text == name][:1]
