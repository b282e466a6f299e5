"""What C++ headers declare, and how a qualified name is looked up in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entry:
    """A declared name; `target` is what an alias or using-declaration stands for."""

    kind: str
    header: str
    target: str = ""


@dataclass(slots=True)
class Scope:
    """A namespace or class: its names, and where else a lookup goes."""

    members: dict[str, Entry] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)  # using namespace, base classes


@dataclass(slots=True)
class Declarations:
    """All that a set of headers declares."""

    scopes: dict[str, Scope] = field(default_factory=lambda: {"": Scope()})
    macros: dict[str, Entry] = field(default_factory=dict)

    def scope(self, name: str) -> Scope:
        return self.scopes.setdefault(name, Scope())

    def add(self, scope: str, name: str, entry: Entry) -> None:
        self.scope(scope).members.setdefault(name, entry)

    def find(self, qualified: str) -> Entry | None:
        """What `a::b::c` names, through aliases, using and base classes; None if nothing."""
        return self._find(qualified.split("::"), "", 0)

    def _find(self, parts: Sequence[str], scope: str, depth: int) -> Entry | None:
        found = self._member(scope, parts[0], depth, frozenset())
        if found is None:
            return None
        home, entry = found
        if len(parts) == 1:
            return entry
        for inner in self._find_inside(home, parts[0], entry):
            result = self._find(parts[1:], inner, depth + 1) if depth < 12 else None
            if result is not None:
                return result
        return None

    def _member(
        self, scope: str, name: str, depth: int, seen: frozenset[str]
    ) -> tuple[str, Entry] | None:
        here = self.scopes.get(scope)
        if here is None or scope in seen:
            return None
        if name in here.members:
            return scope, here.members[name]
        for other in here.used:
            for candidate in self._outward(scope, other):
                found = self._member(candidate, name, depth, seen | {scope})
                if found is not None:
                    return found
        return None

    def _find_inside(self, home: str, name: str, entry: Entry) -> Iterator[str]:
        if not entry.target:
            yield f"{home}::{name}" if home else name
            return
        for candidate in self._outward(home, entry.target):
            if candidate in self.scopes:
                yield candidate
            else:
                outer, _, last = candidate.rpartition("::")
                follow = self.scopes.get(outer, Scope()).members.get(last)
                if follow is not None and follow.target and follow is not entry:
                    yield from self._find_inside(outer, last, follow)

    def _outward(self, scope: str, target: str) -> Iterator[str]:
        """A name as seen from a scope: in it, then in each one around it."""
        if target.startswith("::"):
            yield target[2:]
            return
        while scope:
            yield f"{scope}::{target}"
            scope = scope.rpartition("::")[0]
        yield target
