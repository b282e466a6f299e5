"""How often a target's headers declare the names that parts have: read there, or as shipped.

A unit says it above each declaration, and by that its script sees what a newer target has. Without
the headers, porter takes what it ships for the nearest version. Where pieces change, that is made
again: `python -m porter.unit COMPAT rules/TARGET/polyfills/installed/VERSION.json`, with
COMPAT the folder of the target's headers for torch's names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from porter.errors import RuleError
from porter.surface.load import nearest
from porter.targets import home_of
from porter.unit.parts import Part, leaf, load_script

Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Installed:
    """What of some parts a target's headers declare: nothing, as it is made."""

    has: Collection[str] = ()  # the ids of the parts that are no other than the target's own
    headers: Counts = field(default_factory=dict)  # those for torch's names, by path and name
    others: Counts = field(default_factory=dict)  # the target's own that parts are added to
    bodies: Counts = field(default_factory=dict)  # by path and class, "c10/Scalar.h Scalar"

    def counter(self, headers: Collection[str], extended: Collection[str]) -> Callable[[Part], int]:
        """How often the name of a part is declared: in the class that it goes into, else in any
        header for torch's names or of `headers`, a unit's, but for those of `extended` classes."""
        read = [*self.headers.items(), *(row for row in self.others.items() if row[0] in headers)]
        elsewhere = [row for path, row in read if path not in extended]

        def count(part: Part) -> int:
            rows = [self.bodies.get(body(part), {})] if part.extends else elsewhere
            return sum(row.get(leaf(part), 0) for row in rows)

        return count


def body(part: Part) -> str:
    """The class that a part goes into, by the header that has it."""
    return f"{part.header} {part.scope[-1]}"


def read_headers(parts: Sequence[Part], compat: str) -> Installed:
    """What the headers below a folder declare."""
    own = load_script()
    named = {leaf(part) for part in parts if not part.loose}
    members: dict[str, list[Part]] = {}
    for part in parts:
        if part.extends:
            members.setdefault(body(part), []).append(part)
    bodies = {}
    for key, found in members.items():
        code = _code(compat, found[0].header)
        start, end = own["body_of"](code, found[0].extends, found[0].scope[-1])
        bodies[key] = _counts(code[start:end], {leaf(part) for part in found})
    paths = {*own["walk"](compat)}

    def count_names(paths: Iterable[str]) -> Counts:
        return _some({path: _counts(_code(compat, path), named) for path in paths})

    return Installed(
        headers=count_names(paths),
        others=count_names({part.header for part in parts} - paths),
        bodies=_some(bodies),
    )


def load_shipped(package: str, version: str) -> Installed:
    """What porter ships of a target: of this version, or of the nearest one.

    Raises UsageError where it ships none, RuleError where the file is damaged.
    """
    home = home_of(package) / package
    path = home / "polyfills" / "installed" / f"{nearest(package, version)}.json"
    try:
        return Installed(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        raise RuleError(f"{path}: {error}", hint="reinstall porter") from error


def _counts(code: str, names: Iterable[str]) -> dict[str, int]:
    declared = load_script()["declared"]
    found = {name: len(declared(code, name)) for name in names if _word(name) in code}
    return {name: found[name] for name in sorted(found) if found[name]}


def _word(name: str) -> str:
    """What stands in code that declares the name, however it is spaced."""
    return "operator" if name.startswith("operator") else name


def _some(counts: Counts) -> Counts:
    return {key: counts[key] for key in sorted(counts) if counts[key]}


@cache
def _code(compat: str, path: str) -> str:
    return str(load_script()["blank"](load_script()["installed"](compat, path) or ""))
