"""Read facts: text of files, `condition: sentence`, to the type that every reader uses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable

from porter.errors import RuleError
from porter.model import Condition, Fact, Given, Symbol, When

REFUSED = "not accepted"  # a keyword, which nothing else shows beside
COUNTED = {When.POSITION: 1, When.MEASURED: 0}  # how many arguments at least
WORDED = (When.KEYWORD, When.ARGUMENT, When.HEADER)
BY_FORM = (When.KEYWORD, When.POSITION, When.DTYPE)  # what the form of a call tells
_HEAD = re.compile(
    r"(?P<when>some uses|\w+)(?: (?P<value>[\w./|-]+))?: (?P<sentence>.+)", re.DOTALL
)


def parse(text: str) -> Fact:
    """Read one fact. Raises RuleError for a condition that porter does not know."""
    match = _HEAD.fullmatch(text)
    if match is None:
        raise RuleError(f"expected `condition: sentence`, not {text!r}")
    return Fact(_condition(match["when"], match["value"] or ""), match["sentence"])


def parse_condition(text: str) -> Condition:
    """Read a condition alone. Raises RuleError."""
    return parse(f"{text}: -").condition


def _condition(word: str, value: str) -> Condition:
    try:
        when = When(word)
    except ValueError as error:
        near = difflib.get_close_matches(word, list(When), n=1)
        known = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(When)}"
        raise RuleError(f"unknown condition {word!r}; {known}") from error
    if when in WORDED and value:
        return Condition(when, tuple(value.split("|")))
    if when in COUNTED and (value.isdecimal() or not value) and int(value or 0) >= COUNTED[when]:
        return Condition(when, count=int(value or 0))
    if value or when in WORDED or when is When.POSITION:
        raise RuleError(f"the condition {word!r} does not accept the value {value!r}")
    return Condition(when)


def note(sentence: str) -> Fact:
    """Say something of a name that concerns no form of use."""
    return Fact(Condition(When.SOME_USES), sentence)


def has_refused(symbol: Symbol | None, given: Given | None) -> bool:
    """Say whether a call has a keyword that is refused, whatever else would differ."""
    named = {name for name, _ in given.keywords} if given is not None else set()
    facts = symbol.facts if symbol is not None else ()
    return any(is_refusal(f, symbol) and f.condition.words[0] in named for f in facts)


def is_refusal(fact: Fact, symbol: Symbol | None) -> bool:
    """Say whether a fact is of a keyword that every call of a function refuses."""
    refused = fact.when is When.KEYWORD and fact.sentence == REFUSED and not fact.where
    return refused and symbol is not None and symbol.kind != "module"


def select_kinds(facts: Iterable[Fact], *kinds: When) -> list[Fact]:
    """Select the facts whose condition is of one of these kinds."""
    return [fact for fact in facts if fact.when in kinds]


def select_facts(
    facts: Iterable[Fact], *, called: bool, positional: int = 0, keywords: Collection[str] = ()
) -> tuple[Fact, ...]:
    """Select the facts that a use of this form meets."""
    return tuple(f for f in facts if _meets(f.condition, called, positional, keywords))


def _meets(condition: Condition, called: bool, positional: int, keywords: Collection[str]) -> bool:
    if condition.when is When.ANY:
        return True
    if not called:
        return False
    if condition.when is When.KEYWORD:
        return condition.words[0] in keywords
    if condition.when is When.POSITION:
        return positional >= condition.count
    return condition.when is When.CALL
