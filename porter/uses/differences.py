"""Where a repository uses names that a target has, and that mean something else there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from porter.model import Difference, Fact, Given, Language, Role, State, Surface, Use, When
from porter.surface.arguments import Holds, holds
from porter.surface.names import python_state
from porter.uses.anything import ANYTHING
from porter.uses.lookup import FORM, meets

OF_ITSELF = (When.ANY, When.CALL, When.SOME_USES, When.TRUTH, When.GATE)
REFUSES = " raises "  # as measured calls say it
MILD = ("gives a list, torch a tuple", "gives a copy, torch the memory")  # to nearly every use


def differences(uses: Iterable[Use], surface: Surface, torch: Surface) -> tuple[Difference, ...]:
    """The uses in Python, vendored files apart, by place; of each name at a line the surest."""
    found: dict[tuple[str, int, int, str], Difference] = {}
    for use in uses:
        torch_or_other = use.name.startswith(ANYTHING)
        if use.language is Language.PYTHON and use.role is not Role.VENDORED and not torch_or_other:
            for item in _find_of_use(use, surface, torch):
                key = (item.path, item.cell, item.line, item.name)
                if key not in found or (item.sure and not found[key].sure):
                    found[key] = item
    return tuple(found[key] for key in sorted(found))


def _find_of_use(use: Use, surface: Surface, torch: Surface) -> Iterator[Difference]:
    form = FORM.match(use.name)
    known = python_state(form["name"] if form else use.name, surface, torch)
    if known.state not in (State.PRESENT, State.DIFFERENT):
        return
    symbol = torch.python.get(known.name)
    asked = [f for f in known.facts if (meets(f, form) if form else _may_hold(f, use.given))]
    answers = [(fact, holds(fact, use.given, symbol)) for fact in asked]
    sure = [fact for fact, answer in answers if answer is Holds.YES]
    perhaps = [fact for fact, answer in answers if answer is Holds.PERHAPS]
    for fact in [*sure, *_gravest_first(perhaps)][:1]:
        yield Difference(
            path=use.path,
            line=use.line,
            column=use.column,
            name=known.name,
            consequence=fact.sentence,
            sure=bool(sure),
            cell=use.cell,
        )


def _gravest_first(facts: Iterable[Fact]) -> list[Fact]:
    """Those about some uses of a name, without what the target refuses: that is seen."""
    found = [f for f in facts if REFUSES not in f.sentence]
    return sorted(found, key=lambda f: any(mild in f.sentence for mild in MILD))


def _may_hold(fact: Fact, given: Given | None) -> bool:
    if fact.when is not When.MEASURED:
        return fact.when in OF_ITSELF
    most = len(given.positional) + len(given.keywords) if given else 0
    return fact.condition.count <= most or bool(given and given.more)
