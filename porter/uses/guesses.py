"""What is said of names without knowing that it holds: one line a name, with how many places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from porter.model import Difference, Fact, Given, Guess, Role, State, Surface, Use, When
from porter.surface.arguments import Holds, holds
from porter.surface.classes import receivers
from porter.surface.facts import select_facts
from porter.uses.anything import ANYTHING


def guesses(
    uses: Iterable[Use], differences: Iterable[Difference], surface: Surface, torch: Surface
) -> tuple[Guess, ...]:
    """Differences that are not sure, and attributes of what may be torch's; most places first."""
    found: dict[str, Guess] = {}
    for one in _guess_differences(differences):
        _count(found, one)
    seen: set[tuple[str, int, int, int, str]] = set()
    told: dict[tuple[str, Given | None], tuple[str, str] | None] = {}  # of most, there are many
    for use in uses:
        if not use.name.startswith(ANYTHING) or use.role is Role.VENDORED:
            continue
        key = (use.path, use.cell, use.line, use.column, use.name)
        if key not in seen:
            seen.add(key)
            asked = use.name, use.given
            if asked not in told:
                told[asked] = _guess_name(*asked, surface, torch)
            said = told[asked]
            if said is not None:
                name, reason = said
                where = Guess(name=name, path=use.path, line=use.line, cell=use.cell, reason=reason)
                _count(found, where)
    return tuple(sorted(found.values(), key=lambda guess: (-guess.sites, guess.name)))


def _count(found: dict[str, Guess], one: Guess) -> None:
    known = found.setdefault(one.name, replace(one, sites=0))
    found[one.name] = replace(known, sites=known.sites + 1)


def _guess_differences(differences: Iterable[Difference]) -> Iterator[Guess]:
    for one in differences:
        if not one.sure:
            yield Guess(
                name=one.name, path=one.path, line=one.line, cell=one.cell, reason=one.consequence
            )


def _guess_name(
    asked: str, given: Given | None, surface: Surface, torch: Surface
) -> tuple[str, str] | None:
    """What an attribute would be if its owner were torch's, a tensor where that has it, and what
    is said of it there."""
    owner, _, attribute = asked.removeprefix(ANYTHING).rpartition(".")
    owner = f"torch.{owner}" if owner else receivers()[attribute][0]
    said = _describe_refusal(f"{owner}.{attribute}", given, surface, torch)
    return said and (said[0], f"if it is a {owner.rpartition('.')[2]}'s: {said[1]}")


def _describe_refusal(
    name: str, given: Given | None, surface: Surface, torch: Surface
) -> tuple[str, str] | None:
    """A name, with the keyword that is refused, and what is said of it."""
    symbol = surface.python.get(name)
    if symbol is None:
        return None
    if symbol.state is State.UNKNOWN:
        return name, f"{surface.package} {surface.version} lacks it, at least in a build for CPUs"
    if symbol.state is State.MISSING:
        return name, f"{surface.package} {surface.version} lacks it"
    for fact in _find_met(symbol.facts, given):
        if holds(fact, given, torch.python.get(name)) is Holds.YES:
            keyword = fact.condition.words[:1] if fact.when is When.KEYWORD else ()
            return f"{name}({keyword[0]}=)" if keyword else name, fact.sentence
    return None


def _find_met(facts: Iterable[Fact], given: Given | None) -> tuple[Fact, ...]:
    if given is None or not given.called:
        return select_facts(facts, called=False)
    named = {name for name, _ in given.keywords}
    return select_facts(facts, called=True, positional=len(given.positional), keywords=named)
