"""Which parts sources need as far as names tell, where no compiler can say it: more than enough.

A name counts as it stands: after `.` or `->` it is a member of whatever class has one, called it is
a function, elsewhere a type, a macro or a variable. The parts that these are name others in turn.
What no name tells, conversions and operators, comes with the classes that it is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from porter.languages import cpp
from porter.languages.cpp import Kind, Token
from porter.unit.parts import Part

_FUNCTIONS = frozenset({"function", "friend"})
_CALLED = frozenset({"(", "<"})
_OPERATOR = re.compile(r"operator(?![A-Za-z_])")
_FOREIGN = frozenset({"std"})  # whose names are no others
_ROOTS = frozenset({"at", "c10", "torch"})  # which share their names


@dataclass(frozen=True, slots=True)
class _Names:
    """The names in a text by how they stand there, and its signs, by which operators are called."""

    members: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    scoped: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # after what
    spaces: set[str] = field(default_factory=set)  # namespaces and classes
    signs: set[str] = field(default_factory=set)

    def add(self, tokens: Sequence[Token]) -> None:
        for index, token in enumerate(tokens):
            if token.kind is Kind.PUNCTUATION:
                self.signs.add(token.text)
            if token.kind is not Kind.NAME:
                continue
            before = [t.text for t in tokens[max(0, index - 2) : index]]
            after = tokens[index + 1].text if index + 1 < len(tokens) else ""
            if "::" in (after, *before[-1:]) or before[-1:] == ["namespace"]:
                self.spaces.add(token.text)
            if before[-1:] == ["::"]:
                self.scoped[token.text].add(before[0])
            elif before[-1:] in (["."], ["->"]) or (
                before[-1:] == ["template"] and before[0] in (".", "->")
            ):
                self.members.add(token.text)
            else:
                (self.called if after in _CALLED else self.plain).add(token.text)

    @property
    def all(self) -> set[str]:
        return self.members | self.called | self.plain | self.scoped.keys()


def select_by_name(
    every: Iterable[Part], sources: Iterable[Sequence[Token]], chosen: Iterable[Part] = ()
) -> list[Part]:
    """The parts that sources, given as their tokens, or these parts in turn, may need; and those
    that are `chosen`, with the frames of their headers."""
    by_leaf = defaultdict(list)
    implicit = defaultdict(list)
    for part in every:
        for leaf in {name.rpartition("::")[2] for name in part.names if not part.loose}:
            by_leaf[leaf].append(part)
        if not part.loose and (sign := _sign_of(part)) is not None:
            implicit[sign].append(part)
    texts: list[tuple[_Names, tuple[str, ...]]] = [(_read(sources), ())]
    texts += map(_names_of, chosen)
    words: set[str] = set()
    signs = {""}
    found: dict[str, Part] = {}
    while True:
        for names, _ in texts:
            words |= names.all
            signs |= names.signs
        named = (
            part
            for names, scope in texts
            for name in names.all
            for part in by_leaf.get(name, ())
            if part.id not in found and _is_meant(part, name, names, scope)
        )
        implied = (part for sign in signs for part in implicit.get(sign, ()))
        new = {p.id: p for p in (*named, *(p for p in implied if _classes_about(p) <= words))}
        new = {id: part for id, part in new.items() if id not in found}
        if not new:
            return list(found.values())
        found |= new
        texts += map(_names_of, new.values())


@cache
def _names_of(part: Part) -> tuple[_Names, tuple[str, ...]]:
    """The names in the text of a part, but for the one it declares there, and its scope."""
    tokens = cpp.parse(part.text.encode(), "").tokens
    own = {name.rpartition("::")[2] for name in part.names}
    at = next((n for n, token in enumerate(tokens) if token.text in own), len(tokens))
    return _read([tokens[:at], tokens[at + 1 :]]), part.scope


def _read(texts: Iterable[Sequence[Token]]) -> _Names:
    names = _Names()
    for tokens in texts:
        names.add(tokens)
    return names


def _is_meant(part: Part, name: str, names: _Names, scope: tuple[str, ...]) -> bool:
    """Whether a name, as it stands in a text of this scope, may be that of a part."""
    scopes = names.scoped.get(name, set()) - _FOREIGN
    anywhere = name in names.called | names.plain
    if part.extends:  # of a class that may have another name there
        of_class = any(space[:1].isupper() for space in scopes)
        return name in names.members or of_class or (anywhere and part.scope == scope)
    if not scope:  # of the sources, which may be `using namespace`, or another name of it
        bare = name in names.called or (part.kind not in _FUNCTIONS and anywhere)
        return (bare or bool(scopes)) and names.spaces.issuperset({*part.scope} - _ROOTS)
    inside = scope[: len(part.scope)] == part.scope or _ROOTS.issuperset(part.scope)
    return (anywhere and inside) or bool(scopes & {"", *_ROOTS, *part.scope[-1:]})


def _sign_of(part: Part) -> str | None:
    """The sign that calls a part without its name: nothing for a constructor or a conversion; None
    where it has a name."""
    name = part.names[0].rpartition("::")[2]
    if _OPERATOR.match(name):
        return name.removeprefix("operator").rstrip(")]")
    makes = part.extends and (name == part.scope[-1] or name.startswith("operator"))
    return "" if makes else None


def _classes_about(part: Part) -> set[str]:
    """The classes that an operator or a conversion is about."""
    if part.extends:
        return {part.scope[-1]}
    return {word for word in re.findall(r"\w+", part.id.partition("(")[2]) if word[0].isupper()}
