"""Where a repository uses names that a target has, and that mean something else there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from porter.model import Difference, Language, Role, State, Surface, Use
from porter.surface.facts import condition, sentence
from porter.surface.names import python_state
from porter.uses.lookup import FORM, meets

SURE = ("any", "call")
SOME = ("some uses", "truth", "gate")
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
        sure = [f for f in known.facts if condition(f) in SURE]
    for fact in [*sure, *_sometimes(known.facts, form)][:1]:
        yield Difference(
            path=use.path,
            line=use.line,
            column=use.column,
            name=known.name,
            consequence=sentence(fact),
            sure=bool(sure) and not (form and form["dtype"]),  # of parts only
            cell=use.cell,
        )


def _sometimes(facts: Iterable[str], form: re.Match[str] | None) -> list[str]:
    """Those about some uses of a name or of its calls in this form, the gravest first, without
    what the target refuses: that is seen."""
    found = [f for f in facts if REFUSES not in f and _may_hold(condition(f), form)]
    return sorted(found, key=lambda f: any(mild in f for mild in MILD))


def _may_hold(condition: str, form: re.Match[str] | None) -> bool:
    word, _, least = condition.partition(" ")
    if word != "measured":
        return form is None and condition in SOME
    if form is None:
        return int(least or 0) == 0
    return int(least or 0) <= int(form["count"] or least or 0)
