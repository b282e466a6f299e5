"""What a compiler said of a tree's units: the parts that they use, and what is missing in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from porter.build.diagnostics import plain
from porter.model import Device, Diagnostic, Language, Missing, Residue, State, UnitResult
from porter.surface.facts import note
from porter.unit.parts import Part, leaf

if TYPE_CHECKING:
    from porter.build.syntax import Checked

    Looked = Mapping[Device, tuple[Checked, ...]]
    Said = Mapping[Device, Sequence[Checked | UnitResult]]  # as far as others need it

_QUALIFIED = re.compile(r"\b[A-Za-z_]\w*(?:::\w+)+")


def every(found: Looked) -> list[Checked]:
    """The units of all devices."""
    return [one for units in found.values() for one in units]


def closure(found: Looked, more: Iterable[str] = ()) -> frozenset[str]:
    """The parts that units use, `more`, and those that these use in turn."""
    follow: dict[str, set[str]] = {}
    for user, needed in (edge for one in every(found) for edge in one.edges):
        follow.setdefault(user, set()).add(needed)
    reached: set[str] = set()
    todo = [*more, *(part for one in every(found) for part in one.used)]
    while todo:
        part = todo.pop()
        if part not in reached:
            reached.add(part)
            todo += follow.get(part, ())
    return frozenset(reached)


def prune(found: Looked, checked: Looked, parts: Iterable[Part]) -> frozenset[str]:
    """The parts that errors name which units have when `checked` with the parts in use, and had
    not when `found` with all: compilers do not tell of every use (nvcc of none of a constructor
    by `{0}`)."""
    before = {*_collect_messages(found)}
    lost = [said[-1] for said in _collect_messages(checked) if said not in before]
    lost = [error for error in lost if error.severity == "error"]
    names = {error.name for error in lost if error.name}
    spelled = {name for error in lost for name in _QUALIFIED.findall(error.message)}
    return frozenset(
        part.id
        for part in parts
        if not part.loose
        and (leaf(part) in names or spelled & {*part.names} or _converts(part, spelled))
    )


def _collect_messages(found: Said) -> Iterator[tuple[Device, str, Diagnostic]]:
    for device, units in found.items():
        yield from ((device, one.path, error) for one in units for error in one.diagnostics)


def _converts(part: Part, classes: Collection[str]) -> bool:
    """Whether a part makes an object of one of these classes, or something else of one."""
    name = leaf(part)
    return "::".join(part.scope) in classes and (
        name == part.scope[-1] or name.startswith("operator ")
    )


def missing_from_diagnostics(found: Said) -> tuple[Missing, ...]:
    """What the compiler did not find, by cause, the most frequent first."""
    causes: dict[str, list[Diagnostic]] = {}
    for item in _errors(found):
        causes.setdefault(_name_of_missing(item), []).append(item)
    return tuple(
        Missing(
            name=name,
            language=Language.CPP,
            uses=len(items),
            state=State.MISSING,
            facts=(note(items[0].cause),),
        )
        for name, items in sorted(causes.items(), key=lambda row: -len(row[1]))
    )


def find_undeclared(found: Said) -> tuple[tuple[str, str], ...]:
    """(file of the tree, name) of what the compiler did not find in the standard library."""
    missing = {
        (d.path, _name_of_missing(d))
        for d in _errors(found)
        if d.name and d.scope in ("std", "::std")
    }
    return tuple(sorted(one for one in missing if not Path(one[0]).is_absolute()))


def residue(found: Said) -> tuple[Residue, ...]:
    """Every place in the repository that the compiler refuses."""
    places: dict[tuple[str, int, int, str], Diagnostic] = {}
    nameless: set[tuple[str, str]] = set()  # a parser stumbles on over what it does not know
    for item in _errors(found):
        again = item.name is None and (item.path, item.cause) in nameless
        if item.path and not Path(item.path).is_absolute() and not again:
            places[(item.path, item.line, item.column or 1, _name_of_missing(item))] = item
            nameless.add((item.path, item.cause))
    return tuple(
        Residue(
            path=path,
            line=line,
            column=column,
            name=name,
            reason=f"the compiler: {item.message}",
            state=State.MISSING,
        )
        for (path, line, column, name), item in sorted(places.items())
    )


def units(found: Looked, device: Device = Device.CPU) -> tuple[UnitResult, ...]:
    """The units of the build for a device as they fared."""
    return tuple(
        UnitResult(
            path=one.path,
            extension=one.extension,
            ok=one.ok,
            seconds=one.seconds,
            diagnostics=((plain("compiler", one.reason),) if one.reason else ()) + one.diagnostics,
        )
        for one in found.get(device, ())
    )


def explain_unchecked(found: Looked) -> tuple[str, ...]:
    """Why units were not checked, or not to their end, each reason once, with an example."""
    whys: dict[str, dict[str, None]] = {}
    for one in every(found):
        if one.reason:
            whys.setdefault(one.reason, {})[one.path] = None
    return tuple(
        f"{why}: {', '.join([*paths][:3])}"
        + (f" and {len(paths) - 3} more units" if len(paths) > 3 else "")
        for why, paths in whys.items()
    )


def _errors(found: Said) -> Iterable[Diagnostic]:
    return dict.fromkeys(d for *_, d in _collect_messages(found) if d.severity == "error")


def _name_of_missing(item: Diagnostic) -> str:
    """The name that is missing, in its scope; the cause where there is none."""
    if item.name is None:
        return item.cause
    if item.cause.startswith("missing header"):
        return f"<{item.name}>"
    return f"{item.scope.strip(':')}::{item.name}" if item.scope else item.name
