"""Compare recorded values of two frameworks, and say what they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from porter.model import Tolerance
from porter.parity.measure import Bounds, distance, is_near, numbers, tolerance_for
from porter.parity.trace import Event, Value, tensor

LOOSER = 10.0  # tolerances, where what went in differs already, by less than its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """`slight`: of the kind that most code does not mind, as a list for a tuple."""

    place: str  # args[0], result[1]
    aspect: str  # structure, dtype, shape, device, strides, values
    message: str
    source: Value
    target: Value
    slight: bool = False


@dataclass(frozen=True, slots=True)
class Judge:
    """Where the numbers of both traces are, and how far they may be apart."""

    source: Path
    target: Path
    tolerance: Tolerance | None = None
    strides: bool = True  # whether they matter
    looser: bool = False  # what went in differs already

    def differences(
        self,
        source: Mapping[str, Value],
        target: Mapping[str, Value],
        *,
        strides: bool = True,
        looser: bool = False,
    ) -> Iterator[Difference]:
        """Of the values at the places that both have, in order."""
        judge = replace(self, strides=strides, looser=looser)
        for place, one in source.items():
            if place in target:
                yield from judge._find_differences(place, one, target[place])

    def _find_differences(self, place: str, one: Value, other: Value) -> Iterator[Difference]:
        here, there = one.get("items", ()), other.get("items", ())
        if "items" in one and one["kind"] == other["kind"] and len(here) == len(there):
            names = one.get("keys") or range(len(here))
            for name, left, right in zip(names, here, there, strict=False):
                yield from self._find_differences(f"{place}[{name}]", left, right)
            return
        for aspect, message, slight in self._aspects(one, other):
            yield Difference(
                place=place,
                aspect=aspect,
                message=message,
                source=one,
                target=other,
                slight=slight,
            )

    def _aspects(self, one: Value, other: Value) -> Iterator[tuple[str, str, bool]]:
        """What differs, how, and whether that is slight."""
        kinds = one["kind"], other["kind"]
        if "other" in kinds:
            return  # objects of the frameworks' own
        if kinds == ("tensor", "tensor"):
            yield from self._tensors(one, other)
        elif kinds == ("scalar", "scalar"):
            yield from self._scalars(one, other)
        else:
            same = _number(one) is not None and _number(one) == _number(other)
            yield "structure", _both(words(one), words(other)), same

    def _tensors(self, one: Value, other: Value) -> Iterator[tuple[str, str, bool]]:
        if "unread" in one or "unread" in other:
            return
        for aspect in ("dtype", "shape", "device"):
            if one.get(aspect) != other.get(aspect) and aspect in one and aspect in other:
                yield aspect, _both(one[aspect], other[aspect]), False
                return
        if self.strides and relevant_strides(one) != relevant_strides(other):
            yield "strides", _both(one.get("strides"), other.get("strides")), False
        if one.get("hash") == other.get("hash"):
            return
        left, right = tensor(one, self.source), tensor(other, self.target)
        limit = self._limit(one["dtype"])
        if left is not None and right is not None:
            problem = distance(left, right, Bounds(limit)).problem
        else:
            problem = compare_statistics(
                one.get("statistics", {}), other.get("statistics", {}), limit
            )
        if problem:
            yield "values", problem, False

    def _scalars(self, one: Value, other: Value) -> Iterator[tuple[str, str, bool]]:
        left, right = one["value"], other["value"]
        said = isinstance(left, str) and isinstance(right, str)  # with a framework's name in it
        if isinstance(left, float) and isinstance(right, float):
            # what a float was before item() is not known
            same = is_near(left, right, self._limit("float32"))
        elif said:
            same = left == right or ("/" in left and "/" in right)  # files of two environments
        else:
            same = left == right and one["type"] == other["type"]
        if not same:
            yield "values", _both(repr(left), repr(right)), said or left == right

    def _limit(self, dtype: str) -> Tolerance:
        limit = tolerance_for(dtype, self.tolerance)
        factor = LOOSER if self.looser else 1.0
        return Tolerance(rtol=limit.rtol * factor, atol=limit.atol * factor)


def _both(source: object, target: object) -> str:
    return f"{source} on the source, {target} on the target"


def _number(value: Value) -> Any:
    """Of a scalar, or of a tensor with one element."""
    if value["kind"] == "scalar":
        return value["value"] if not isinstance(value["value"], str) else None
    if value["kind"] != "tensor" or math.prod(value.get("shape", [0])) != 1:
        return None
    return value.get("statistics", {}).get("least")


def compare_statistics(
    left: Mapping[str, float], right: Mapping[str, float], limit: Tolerance
) -> str:
    """What differs of statistics, where the numbers were not kept."""
    for name in left.keys() & right.keys():
        if not is_near(left[name], right[name], limit):
            return f"{name} {_both(f'{left[name]:.9g}', f'{right[name]:.9g}')}"
    return ""


def relevant_strides(value: Value) -> list[int]:
    """The strides that say something: along more than one element."""
    if 0 in value["shape"] or "strides" not in value:
        return []
    pairs = zip(value["shape"], value["strides"], strict=True)
    return [step for size, step in pairs if size != 1]


def contiguous(value: Value) -> bool:
    """Whether each tensor in a value lies row by row."""
    if value["kind"] in ("sequence", "dict"):
        return all(map(contiguous, value["items"]))
    if value["kind"] != "tensor" or "strides" not in value:
        return True
    rows = [math.prod(value["shape"][n + 1 :]) for n in range(len(value["shape"]))]
    return relevant_strides(value) == relevant_strides({**value, "strides": rows})


def same_bytes(source: Event, target: Event) -> bool:
    """Whether what went in is the same to the last bit."""
    pairs = [(one, target.arguments.get(place)) for place, one in source.arguments.items()]
    return all(_hashes(one) == _hashes(other) for one, other in pairs if other is not None)


def _hashes(value: Value) -> list[Any]:
    if value["kind"] in ("sequence", "dict"):
        return [each for item in value["items"] for each in _hashes(item)]
    return [value.get("hash", value.get("value"))]


# ----------------------------------------------------------------------- words

SHOWN = 6  # elements of a tensor, or of a list


def words(value: Value) -> str:
    """A value in a few words, without its numbers."""
    match value["kind"]:
        case "tensor":
            if "dtype" not in value:
                return f"a tensor that cannot be read ({value.get('unread')})"
            kind = "array" if value.get("numpy") else "tensor"
            strides = f" strides {value['strides']}" if not contiguous(value) else ""
            return f"{kind} {value['dtype']} {value.get('shape')}{strides}"
        case "scalar":
            return f"{value['type']} {value['value']!r}"
        case "sequence":
            inner = ", ".join(map(words, value["items"][:SHOWN]))
            more = ", ..." if len(value["items"]) > SHOWN else ""
            return f"{value['type']} of {value['length']} ({inner}{more})"
        case "dict":
            return f"dictionary of {', '.join(value['keys'])}"
        case _:
            return f"a {value['type']}"


def show(value: Value, folder: Path) -> str:
    """A value with its first numbers."""
    if value["kind"] == "sequence" and any(each["kind"] == "tensor" for each in value["items"]):
        return "; ".join(show(each, folder) for each in value["items"][:SHOWN])
    kept = tensor(value, folder) if value["kind"] == "tensor" else None
    if kept is None:
        return words(value)
    flat: Sequence[Any] = numbers(kept).ravel()[: SHOWN + 1].tolist()
    first = ", ".join(f"{x:.6g}" if isinstance(x, float) else str(x) for x in flat[:SHOWN])
    return f"{words(value)} = [{first}{', ...' if len(flat) > SHOWN else ''}]"
