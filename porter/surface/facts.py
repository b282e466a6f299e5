"""The facts of a symbol: `condition: sentence`, and whether a call meets the condition."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

# any         every use of the name
# call        every call of it
# keyword K   calls that pass K=
# position N  calls with N arguments by position or more (N from 1)
# dtype       calls whose first argument is a dtype
# whole       calls with another argument that may be a whole number, and no dtype=
# truth       uses as a condition, or compared with None
# gate        uses in a comparison of versions
# some uses   uses of the name that no one can tell from their form; never residue
# measured    some calls on small inputs: what their answers are, not of which uses it holds
# measured N  the same, and only of calls with at least N arguments
# elsewhere   what shows only where the thing named is used later, as str() of a dtype
# And in C++:
# streamed    calls of a macro followed by `<<`
# argument W  calls whose first argument is the word W, or one of W|X
# header H    uses in a file that includes the name's header, H or one of H|I, by no way
CONDITION = re.compile(
    r"(any|call|dtype|whole|truth|gate|some uses|measured(?: \d+)?|elsewhere|keyword \w+"
    r"|position [1-9]\d*|streamed|argument [\w|]+|header [\w./|]+): "
)


def condition(fact: str) -> str:
    """The condition of a fact; a sentence without one concerns some uses."""
    match = CONDITION.match(fact)
    return match.group(1) if match else "some uses"


def sentence(fact: str) -> str:
    """What a fact says, without its condition."""
    match = CONDITION.match(fact)
    return fact[match.end() :] if match else fact


def applying(
    facts: Iterable[str], *, called: bool, positional: int = 0, keywords: Collection[str] = ()
) -> tuple[str, ...]:
    """The facts that a use of this form meets."""
    return tuple(f for f in facts if _meets(condition(f), called, positional, keywords))


def _meets(condition: str, called: bool, positional: int, keywords: Collection[str]) -> bool:
    word, _, value = condition.partition(" ")
    if word == "any":
        return True
    if not called:
        return False
    if word == "keyword":
        return value in keywords
    if word == "position":
        return positional >= int(value)
    return word == "call"
