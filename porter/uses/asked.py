"""The names whose arguments are read: those of which more is said than that they are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from porter.languages.read import Document
from porter.model import SourceFile, Surface, Use, When
from porter.uses.anything import ANYTHING
from porter.uses.lookup import uses_in

_OF_ARGUMENTS = (When.CALL, When.MEASURED)


@dataclass(frozen=True, slots=True)
class LookUp:
    """Every torch name in a file, as `uses_in` gives them, with what is seen of a use only where
    what a surface says of the name depends on it."""

    asked: frozenset[str]
    _known: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    @staticmethod
    def of(surface: Surface) -> LookUp:
        return LookUp(frozenset(_names(surface)))

    def __call__(self, document: Document, file: SourceFile) -> Iterable[Use]:
        return uses_in(document, file, self._reads)

    def _reads(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = _is_asked(self.asked, name)
        return self._known[name]


def _names(surface: Surface) -> Iterator[str]:
    for name, facts in ((n, s.facts) for n, s in surface.python.items() if s.facts):
        if any(fact.where or fact.when in _OF_ARGUMENTS for fact in facts):
            yield name
        if any(fact.when is not When.ELSEWHERE for fact in facts):
            yield f"{ANYTHING}{name.rpartition('.')[2]}"


def _is_asked(asked: frozenset[str], name: str) -> bool:
    """Whether a name, or what it is a part of, is among these."""
    if name.startswith(ANYTHING):
        return f"{ANYTHING}{name.rpartition('.')[2]}" in asked
    ends = (end for end, sign in enumerate(f"{name}.") if sign == ".")
    return any(name[:end] in asked for end in ends)
