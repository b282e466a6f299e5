"""The #include lines of a unit, without those that bring nothing that is not there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

from porter.unit.parts import Part, load_script

_LINE = re.compile(
    r"^[ \t]*#[ \t]*(?:(?P<opens>if\w*)|(?P<ends>endif)|include[ \t]*[<\"](?P<path>[^>\"]+))",
    re.MULTILINE,
)
_GUARD = re.compile(r"\A\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b")


def lean(parts: Sequence[Part], compat: str, included: Collection[str]) -> tuple[Part, ...]:
    """The parts of a unit without headers and lines that bring nothing that is not there.

    A header that only includes others gives its lines to those that include it, unless the
    repository includes it (`included`) or the target has it (below `compat`). A line goes
    where the target's header, or another line, brings the same.
    """
    chosen = _drop_empty(_inline(list(parts), compat, included), compat, included)
    for part in [p for p in chosen if p.header_of_include]:
        others = [p for p in chosen if p is not part]
        if part.header_of_include in _find_reached(part, others, compat):
            chosen = others
    return tuple(_drop_empty(chosen, compat, included))


def _inline(chosen: list[Part], compat: str, included: Collection[str]) -> list[Part]:
    for header in _find_only_including(chosen, compat, included):
        lines = [
            p for p in chosen if p.header == header and p.header_of_include not in ("", header)
        ]
        kept = []
        for part in (p for p in chosen if p.header != header):
            if part.header_of_include == header:
                kept += [
                    replace(p, header=part.header, id=f"{part.header}: {p.text}") for p in lines
                ]
            else:
                kept.append(part)
        chosen = kept
    once = {(p.header, p.header_of_include): p for p in chosen if p.header_of_include}
    return [
        p for p in chosen if not p.header_of_include or once[p.header, p.header_of_include] is p
    ]


def _find_only_including(
    chosen: Iterable[Part], compat: str, included: Collection[str]
) -> Iterator[str]:
    """Headers without declarations that nobody but the unit needs to find."""
    for header, group in groupby(sorted(chosen, key=lambda p: p.header), key=lambda p: p.header):
        idle = all(part.kind in ("include", "once") for part in group)
        if idle and header not in included and not _is_installed(compat, header):
            yield header


def _drop_empty(chosen: list[Part], compat: str, included: Collection[str]) -> list[Part]:
    """Without headers in which nothing is left, and the lines that include them."""
    while True:
        headers = {part.header for part in chosen}
        full = {part.header for part in chosen if part.kind != "once"}
        empty = {h for h in headers - full if h not in included or _is_installed(compat, h)}
        if not empty:
            return chosen
        chosen = [
            part
            for part in chosen
            if part.header not in empty
            and (
                part.header_of_include not in empty or _is_installed(compat, part.header_of_include)
            )
        ]


def _find_reached(line: Part, others: Sequence[Part], compat: str) -> set[str]:
    """What the header of an #include line brings without it, and before what stands in it."""
    ours: dict[str, list[str]] = {}
    for part in others:
        if part.header_of_include:
            ours.setdefault(part.header, []).append(part.header_of_include)

    def nexts(header: str) -> Iterable[str]:
        return [*ours.get(header, ()), *_includes(compat, header)]

    found: set[str] = set()
    for first in nexts(line.header):
        reached = {first}
        todo = [first]
        while todo:
            more = set(nexts(todo.pop())) - reached
            reached |= more
            todo += more
        if line.header not in reached:  # else it may be in the midst of it
            found |= reached
    return found


@cache
def _includes(compat: str, header: str) -> tuple[str, ...]:
    """What an installed header includes under no condition."""
    text = _text(compat, header)
    found, depth = [], -1 if _GUARD.search(load_script()["blank"](text)) else 0
    for line in _LINE.finditer(text):
        depth += bool(line["opens"]) - bool(line["ends"])
        if line["path"] and depth == 0:
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(header), line["path"]))
            found.append(beside if _is_installed(compat, beside) else line["path"])
    return tuple(found)


@cache
def _is_installed(compat: str, header: str) -> bool:
    return bool(_text(compat, header))


@cache
def _text(compat: str, header: str) -> str:
    """The target's header of a name, nothing if it has none."""
    text = load_script()["installed"](compat, header)
    if text is None:
        path = Path(compat, load_script()["ROOT"], "third_party", header)
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
    return str(text)
