"""Errors that follow from another: in the arguments of a missing macro, after a missing header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from porter import targets
from porter.build.causes import Cause, cause, explained
from porter.build.pointed import Sources
from porter.model import Diagnostic

_MACRO = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")


@cache
def _framework() -> re.Pattern[str]:
    """The beginning of a framework's C++ name."""
    names = (name for f in targets.frameworks() for name in f.namespaces)
    return re.compile(rf"(?:{'|'.join(names)})\b")


def follow_macros(found: Sequence[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """The diagnostics, those in the arguments of a missing macro with its cause.

    What the macro would have declared for its arguments is unknown to the compiler as well. A
    missing member or header stays a cause of its own: no macro brings those.
    """
    regions = [region for item in found for region in _regions(item, sources)]
    return tuple(_in_region(item, regions) for item in found)


_Region = tuple[Diagnostic, int, int]  # a missing macro, the lines of its arguments


def _regions(item: Diagnostic, sources: Sources) -> Iterator[_Region]:
    if item.name is None or item.scope or not _MACRO.match(item.name) or not item.line:
        return
    unit = sources.unit(item.path)
    if unit is None:
        return
    for index in unit.places(item.name):
        token = unit.tokens[index]
        if unit.position(token.span.start)[0] != item.line:
            continue
        if index + 1 < len(unit.tokens) and unit.tokens[index + 1].text == "(":
            arguments = unit.arguments(index + 1)
            if arguments is not None:
                closing = unit.tokens[arguments[1]].span.start
                yield item, item.line, unit.position(closing)[0]


def _in_region(item: Diagnostic, regions: Sequence[_Region]) -> Diagnostic:
    own = cause(item.message).text
    if own.startswith("missing header") or " has no member " in own:
        return item
    for root, first, last in regions:
        inside = item.path == root.path and first <= item.line <= last
        if inside and not (item.name and _MACRO.match(item.name)):
            return follower(item, root)
    return item


def follow_classes(found: Sequence[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """The diagnostics, those about a class of the user's whose declaration has an error with its
    cause: what the class would have had from a missing base is unknown as well."""
    named = {(item.path, item.line): item for item in reversed(found) if item.name}
    return tuple(_of_class(item, named, sources) for item in found)


def _of_class(
    item: Diagnostic, named: Mapping[tuple[str, int], Diagnostic], sources: Sources
) -> Diagnostic:
    own = cause(item.message)
    name = own.name if own.text.startswith("missing definition of ") else own.scope
    unit = sources.unit(item.path) if name and item.path else None
    if unit is None or not name:
        return item
    for index in unit.places(name.rpartition("::")[2]):
        if index and unit.tokens[index - 1].text in ("class", "struct"):
            line, _ = unit.position(unit.tokens[index].start)
            root = named.get((item.path, line))
            if root is not None and root is not item and root.name != name:
                return follower(item, root)
    return item


def follower(item: Diagnostic, root: Diagnostic) -> Diagnostic:
    """The diagnostic as one that another brings about: what is missing is the other's name."""
    return explained(item, Cause(root.cause, root.name, root.scope))


def follow_headers(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of one unit that was checked on without the headers it lacks: what it does
    not know may be declared there. A missing member of a known class stays a cause of its own,
    where the header is the framework's; without one of another library only the framework's
    classes are known.
    """
    roots = [item for item in found if item.cause.startswith("missing header")]
    if not roots:
        return tuple(found)
    other = next((item for item in roots if not _framework().match(item.name or "")), None)
    return tuple(
        follower(item, roots[0])
        if _unknown(item)
        else follower(item, other)
        if other and item not in roots and not _framework().match(item.scope or item.name or "")
        else item
        for item in found
    )


def _unknown(item: Diagnostic) -> bool:
    known = cause(item.message)
    return known.follows or known.text.startswith(("missing name", "missing definition of"))
