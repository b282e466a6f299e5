"""The arguments of an operator as its schema says them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ARGUMENT = re.compile(r"(?P<type>.+?)\s+(?P<name>\w+)\s*(?:=\s*(?P<default>.+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; `keyword`: behind the `*`."""

    name: str
    type: str
    has_default: bool
    keyword: bool


def arguments(schema: str) -> tuple[Argument, ...] | None:
    """The arguments of `op(Tensor x, *, float eps=1e-5) -> Tensor`; None where it is not read."""
    opening, depth = schema.find("("), 0
    if opening == -1:
        return None
    parts, first = [], opening + 1
    for at in range(opening, len(schema)):
        depth += (schema[at] in "([") - (schema[at] in ")]")
        if (schema[at] == "," and depth == 1) or depth == 0:
            parts.append(schema[first:at].strip())
            first = at + 1
            if depth == 0:
                break
    found, keyword = [], False
    for part in parts:
        if part == "*":
            keyword = True
            continue
        match = _ARGUMENT.fullmatch(part)
        if match is None:
            if part:
                return None
            continue
        found.append(Argument(match["name"], match["type"], match["default"] is not None, keyword))
    return tuple(found)
