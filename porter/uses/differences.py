"""Where a repository uses names that a target has, and that mean something else there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.model import Difference, Fact, Given, Language, Role, State, Surface, Use, When
from porter.surface.arguments import Holds, holds
from porter.surface.facts import is_refusal
from porter.surface.names import python_state
from porter.uses.anything import ANYTHING
from porter.uses.lookup import FORM, meets

OF_ITSELF = (When.ANY, When.CALL, When.SOME_USES, When.TRUTH, When.GATE)
REFUSES = " raises "  # as measured calls say it
MILD = ("gives a list, torch a tuple", "gives a copy, torch the memory")  # to nearly every use


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said of a use of a name in one way, wherever it stands."""

    name: str
    consequence: str
    sure: bool
    refused: bool = False  # nothing else shows in such a call

    @property
    def rank(self) -> tuple[bool, bool]:
        return self.sure, self.refused


def differences(uses: Iterable[Use], surface: Surface, torch: Surface) -> tuple[Difference, ...]:
    """The uses in Python, vendored files apart, by place; of each name at a line the surest,
    and there a keyword that is refused."""
    told: dict[tuple[str, Given | None], _Said | None] = {}  # of most, there are many uses
    found: dict[tuple[str, int, int, str], tuple[tuple[bool, bool], Difference]] = {}
    for use in uses:
        if use.language is not Language.PYTHON or use.role is Role.VENDORED:
            continue
        asked = use.name, use.given
        if asked not in told:
            anything = use.name.startswith(ANYTHING)
            told[asked] = None if anything else _judge(*asked, surface, torch)
        said = told[asked]
        if said is not None:
            key = (use.path, use.cell, use.line, said.name)
            if key not in found or said.rank > found[key][0]:
                found[key] = said.rank, _difference(use, said)
    return tuple(found[key][1] for key in sorted(found))


def _difference(use: Use, said: _Said) -> Difference:
    return Difference(
        path=use.path,
        line=use.line,
        column=use.column,
        name=said.name,
        consequence=said.consequence,
        sure=said.sure,
        cell=use.cell,
    )


def _judge(name: str, given: Given | None, surface: Surface, torch: Surface) -> _Said | None:
    """The surest of what is said of uses of a name with these arguments; None where it is there,
    and means the same."""
    form = FORM.match(name)
    known = python_state(form["name"] if form else name, surface, torch)
    if known.state not in (State.PRESENT, State.DIFFERENT):
        return None
    symbol = torch.python.get(known.name)
    asked = [f for f in known.facts if (meets(f, form) if form else _may_hold(f, given))]
    answers = [(fact, holds(fact, given, symbol)) for fact in asked]
    sure = [fact for fact, answer in answers if answer is Holds.YES]
    perhaps = [fact for fact, answer in answers if answer is Holds.PERHAPS]
    said = next(iter([*sure, *_gravest_first(perhaps)]), None)
    if said is None:
        return None
    refused = is_refusal(said, surface.python.get(known.name))
    sentence = f"does not accept {said.condition.words[0]}=" if refused else said.sentence
    return _Said(known.name, sentence, bool(sure), refused)


def _gravest_first(facts: Iterable[Fact]) -> list[Fact]:
    """Those about some uses of a name, without what the target refuses: that is seen."""
    found = [f for f in facts if REFUSES not in f.sentence]
    return sorted(found, key=lambda f: any(mild in f.sentence for mild in MILD))


def _may_hold(fact: Fact, given: Given | None) -> bool:
    if fact.when is not When.MEASURED:
        return fact.when in OF_ITSELF
    most = len(given.positional) + len(given.keywords) if given else 0
    return fact.condition.count <= most or bool(given and given.more)
