"""What answers the names that a target lacks or means otherwise: polyfills and rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter import unit
from porter.migrate.scan import ScanResult
from porter.model import LACKED, Fact, Guess, Language, Missing, State, Surface, place
from porter.unit.pieces import Piece

BY_PACKAGE = "porter-compat"  # what answers a fact that no single piece is known to answer


def read_answered(rules: Path, surface: Surface) -> Mapping[str, Sequence[str]]:
    """The facts of a surface that do not hold with the package, as text by name, as measured by
    porter/unit/answered.py; none for a version that was not measured. A version's file may name
    the one whose answers it has."""
    measured = rules / "answered" / f"{surface.version}.json"
    found = json.loads(measured.read_bytes()) if measured.is_file() else {}
    if isinstance(found, str):
        found = json.loads((measured.parent / f"{found}.json").read_bytes())
    facts: dict[str, list[str]] = found
    return facts


class Answers:
    """What answers names on a version of a target: with the package, all of its pieces are on."""

    def __init__(
        self, pieces: Sequence[Piece], surface: Surface, rules: Path, *, packaged: bool
    ) -> None:
        self.pieces, self.surface, self.packaged = pieces, surface, packaged
        self.answered = read_answered(rules, surface) if packaged else {}
        self.of_quirks = unit.find_answers_of_quirks(pieces, surface)

    def add_to_names(self, missing: Iterable[Missing], result: ScanResult) -> tuple[Missing, ...]:
        """Names with what answers them written beside: a polyfill piece, else the rule that
        concerns them, else the package."""
        missing = tuple(missing)
        pieces = self._find_pieces(missing)
        rules: dict[str, str] = {f.name: f.rule for f in result.findings if f.name}
        sites = {(*place(f), f.name): f.rule for f in result.findings if f.name}
        forms: dict[str, str] = {}  # `torch.f(key=)`, of which calls are rejected
        for use in result.uses:
            base, form, _ = use.name.partition("(")
            if form and (*place(use), base) in sites:
                forms[f"{base}{form}"] = sites[*place(use), base]

        def answer(item: Missing) -> str:
            base, form, _ = item.name.partition("(")
            known = pieces.get((item.language, item.name)) or rules.get(item.name)
            known = known or (forms.get(f"{base}{form}", "") if form else "")
            return known or self._find_package(base, item.facts)

        def add_answer(item: Missing) -> Missing:
            of_piece = (item.language, item.name) in pieces  # which are for what the target lacks
            state = State.MISSING if of_piece and item.state is State.UNKNOWN else item.state
            return replace(item, answer=answer(item), state=state)

        return tuple(map(add_answer, missing))

    def add_to_guesses(self, found: Iterable[Guess]) -> tuple[Guess, ...]:
        """Guesses with what answers them: a polyfill piece, for the name or the quirk told of it,
        else the package."""
        found = tuple(found)
        asked = (
            Missing(name=one.name, language=Language.PYTHON, uses=one.sites, state=State.MISSING)
            for one in found
        )
        pieces = self._find_pieces(asked)

        def answer(one: Guess) -> str:
            symbol = self.surface.python.get(one.name)
            told = [f for f in symbol.facts if f.sentence == one.reason] if symbol else []
            quirks = (self.of_quirks[f.quirk] for f in told if f.quirk in self.of_quirks)
            known = pieces.get((Language.PYTHON, one.name)) or next(quirks, "")
            return known or self._find_package(one.name, told)

        return tuple(replace(one, answer=answer(one)) for one in found)

    def _find_pieces(self, asked: Iterable[Missing]) -> dict[tuple[Language, str], str]:
        return unit.find_offers(self.pieces, asked, self.surface, packaged=self.packaged)

    def _find_package(self, name: str, facts: Iterable[Fact]) -> str:
        said, answered = {str(fact) for fact in facts}, self.answered.get(name, ())
        known = LACKED in answered or (said and said.issubset(answered))
        return BY_PACKAGE if known else ""
