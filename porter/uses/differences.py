"""Where a repository uses names that a target has, and that mean something else there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from porter.model import Difference, Fact, Language, Role, State, Surface, Use, When
from porter.surface.names import python_state
from porter.uses.lookup import FORM, meets

SURE = (When.ANY, When.CALL)
SOME = (When.SOME_USES, When.TRUTH, When.GATE)
REFUSES = " raises "  # as measured calls say it
MILD = ("gives a list, torch a tuple", "gives a copy, torch the memory")  # to nearly every use


def differences(uses: Iterable[Use], surface: Surface, torch: Surface) -> tuple[Difference, ...]:
    """The uses in Python, vendored files apart, by place; of each name at a line the surest."""
    found: dict[tuple[str, int, int, str], Difference] = {}
    for use in uses:
        if use.language is Language.PYTHON and use.role is not Role.VENDORED:
            for item in _of(use, surface, torch):
                key = (item.path, item.cell, item.line, item.name)
                if key not in found or (item.sure and not found[key].sure):
                    found[key] = item
    return tuple(found[key] for key in sorted(found))


def _of(use: Use, surface: Surface, torch: Surface) -> Iterator[Difference]:
    form = FORM.match(use.name)
    known = python_state(form["name"] if form else use.name, surface, torch)
    if known.state not in (State.PRESENT, State.DIFFERENT):
        return
    if form is not None:
        sure = [f for f in known.facts if meets(f, form)]
    else:
        sure = [f for f in known.facts if f.when in SURE]
    for fact in [*sure, *_sometimes(known.facts, form)][:1]:
        yield Difference(
            path=use.path,
            line=use.line,
            column=use.column,
            name=known.name,
            consequence=fact.sentence,
            sure=bool(sure) and not (form and form["dtype"]),  # of parts only
            cell=use.cell,
        )


def _sometimes(facts: Iterable[Fact], form: re.Match[str] | None) -> list[Fact]:
    """Those about some uses of a name or of its calls in this form, the gravest first, without
    what the target refuses: that is seen."""
    found = [f for f in facts if REFUSES not in f.sentence and _may_hold(f, form)]
    return sorted(found, key=lambda f: any(mild in f.sentence for mild in MILD))


def _may_hold(fact: Fact, form: re.Match[str] | None) -> bool:
    least = fact.condition.count
    if fact.when is not When.MEASURED:
        return form is None and fact.when in SOME
    return least == 0 if form is None else least <= int(form["count"] or least)
