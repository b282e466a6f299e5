"""Which parts of the C++ pieces a repository needs: as the compiler saw, or else by names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from porter.languages import cpp
from porter.languages.cpp import Kind, Unit
from porter.model import State, Surface
from porter.unit.by_name import select_by_name
from porter.unit.includes import lean
from porter.unit.installed import load_shipped
from porter.unit.parts import Part, close, homes, leaf
from porter.unit.pieces import Piece

_ROOT = re.compile(r"\A(?:at|torch|c10)::")
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUALIFIED = re.compile(r"\b\w+::\w+\b(?!::)")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a compiler found: the ids of the parts in use, against the headers in `compat`."""

    used: frozenset[str]
    compat: str  # the folder of the target's headers for torch's names


def select(
    pieces: Sequence[Piece],
    sources: Mapping[str, bytes],
    surface: Surface,
    seen: Seen | None,
) -> tuple[Part, ...]:
    """The parts for the C++ `sources`, with all that they need of each other.

    Without what a compiler has seen the names in the sources decide: more than is needed.
    """
    every = tuple(part for piece in pieces for part in piece.parts)
    if not every:
        return ()
    present = {name[1:-1] for name, s in surface.cpp.items() if _is_header(name, s.state)}
    units = [cpp.parse(data, path) for path, data in sources.items()]
    words = {token.text for unit in units for token in unit.tokens if token.kind is Kind.NAME}
    tokens = [unit.tokens for unit in units]
    if seen is None:
        has = load_shipped(surface.package, surface.version).has
        lacked = [part for part in every if part.id not in has]
        chosen = select_by_name(lacked, tokens)
    else:
        chosen = [part for part in every if part.id in seen.used]
        chosen = _add_mentioned([p for p in every if _is_macro(p)], chosen, words)
        # a compiler does not say where a template is an argument of a template
        plain = {name for unit in units for name in _not_members(unit)}
        chosen += [p for p in every if p.is_template and leaf(p) in plain and p not in chosen]
    included = {header for unit in units for header, _ in unit.includes}
    mentioned = {p.id for p in pieces if (words | included) & set(p.mentions)}
    chosen += [part for part in every if part.piece in mentioned and part not in chosen]
    lacking = _find_reached(included - present, every, present)
    chosen += [p for p in every if p.header in included - present and p.kind == "once"]
    # what such a header brings of the target's own, no part of the unit stands for
    chosen += [p for p in every if p.header in lacking and p.header_of_include in present]
    while True:
        found = close(chosen, every, present)
        more = [*_find_specialisations(found, every), *homes(found, every)]
        if seen is None:
            more += select_by_name(lacked, tokens, found)
        else:
            more += _find_in_templates(found, every)
        more = [part for part in more if part not in found]
        if not more:
            return lean(found, seen.compat, included) if seen and seen.compat else found
        chosen += more


def _find_reached(
    headers: Collection[str], every: Sequence[Part], present: Collection[str]
) -> set[str]:
    """Headers that the target lacks, and those of the unit's that they include."""
    found: set[str] = set()
    todo = set(headers)
    while todo:
        found |= todo
        brought = {p.header_of_include for p in every if p.header in todo and p.header_of_include}
        todo = brought - found - set(present)
    return found


def _find_specialisations(found: Sequence[Part], every: Sequence[Part]) -> list[Part]:
    """What the specialisations that come with a header need of it."""
    frames = [p for p in found if p.kind == "frame" and not p.text.startswith("using")]
    said = {(p.header, word) for p in frames for word in _WORD.findall(p.text)}
    return [p for p in every if not p.loose and (p.header, leaf(p)) in said]


def _is_header(name: str, state: State) -> bool:
    return name.startswith("<") and state is not State.MISSING


def _is_macro(part: Part) -> bool:
    return part.kind == "define" or (part.kind == "if" and "::" not in part.names[0])


def _find_in_templates(chosen: Sequence[Part], every: Sequence[Part]) -> list[Part]:
    """What class templates name of their own header and a compiler does not report, as it looks
    for it where the arguments are known: class templates, and functions by their namespace."""
    templates = [p for p in chosen if p.is_template]
    words = {(p.header, word) for p in templates for word in _WORD.findall(p.text)}
    calls = {(p.header, name) for p in templates for name in _QUALIFIED.findall(p.text)}
    functions = [p for p in every if p.kind == "function" and not p.extends]
    return [
        *(p for p in every if p.is_template and (p.header, leaf(p)) in words),
        *(p for p in functions if (p.header, "::".join(p.names[0].split("::")[-2:])) in calls),
    ]


def _not_members(unit: Unit) -> Iterable[str]:
    tokens = unit.tokens
    for before, token in zip((None, *tokens), tokens, strict=False):
        if token.kind is Kind.NAME and (before is None or before.text not in (".", "->")):
            yield token.text


def _add_mentioned(every: Sequence[Part], chosen: list[Part], words: set[str]) -> list[Part]:
    """With the parts whose name is in `words`, or in the text of one that is chosen."""
    by_name: dict[str, list[Part]] = {}
    for part in every:
        for name in part.names:
            by_name.setdefault(name.rpartition("::")[2], []).append(part)
    found = {part.id: part for part in chosen}
    todo = list(words) + [w for part in chosen for w in _WORD.findall(part.text)]
    done: set[str] = set()
    while todo:
        word = todo.pop()
        if word in done:
            continue
        done.add(word)
        for part in by_name.get(word, ()):
            if part.id not in found:
                found[part.id] = part
                todo += _WORD.findall(part.text)
    return list(found.values())


def bare(name: str) -> str:
    """A name without the namespace that stands for all of torch: at, c10 and torch share names."""
    return _ROOT.sub("", name)
