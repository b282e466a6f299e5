"""Compare recorded values of two frameworks, and say what they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.model import Tolerance
from porter.parity.measure import Bounds, distance, numbers
from porter.parity.tolerance import allowed
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

    def differences(
        self,
        source: Mapping[str, Value],
        target: Mapping[str, Value],
        *,
        strides: bool = True,
        looser: bool = False,
    ) -> Iterator[Difference]:
        """Of the values at the places that both have, in order."""
        for place, one in source.items():
            if place in target:
                yield from self._of(place, one, target[place], strides, looser)

    def _of(
        self, place: str, one: Value, other: Value, strides: bool, looser: bool
    ) -> Iterator[Difference]:
        def found(aspect: str, message: str, *, slight: bool = False) -> Difference:
            return Difference(
                place=place,
                aspect=aspect,
                message=message,
                source=one,
                target=other,
                slight=slight,
            )

        kinds = one["kind"], other["kind"]
        if "other" in kinds:
            return  # objects of the frameworks' own
        if kinds[0] != kinds[1]:
            same = self._number(one) is not None and self._number(one) == self._number(other)
            message = f"{words(one)} on the source, {words(other)} on the target"
            yield found("structure", message, slight=same)
        elif kinds[0] == "tensor":
            yield from self._tensors(one, other, found, strides, looser)
        elif kinds[0] == "scalar":
            yield from self._scalars(one, other, found, looser)
        else:
            items = one["items"], other["items"]
            if len(items[0]) != len(items[1]):
                message = f"{words(one)} on the source, {words(other)} on the target"
                yield found("structure", message)
            else:
                names = one.get("keys") or range(len(items[0]))
                for name, left, right in zip(names, *items, strict=False):
                    yield from self._of(f"{place}[{name}]", left, right, strides, looser)

    def _tensors(
        self,
        one: Value,
        other: Value,
        found: Callable[..., Difference],
        strides: bool,
        looser: bool,
    ) -> Iterator[Difference]:
        if "unread" in one or "unread" in other:
            return
        for aspect in ("dtype", "shape", "device"):
            if one.get(aspect) != other.get(aspect) and aspect in one and aspect in other:
                message = f"{one[aspect]} on the source, {other[aspect]} on the target"
                yield found(aspect, message)
                return
        if strides and stepped(one) != stepped(other):
            message = f"{one.get('strides')} on the source, {other.get('strides')} on the target"
            yield found("strides", message)
        if one.get("hash") == other.get("hash"):
            return
        left, right = tensor(one, self.source, ""), tensor(other, self.target, "")
        limit = self._limit(one["dtype"], looser)
        if left is not None and right is not None:
            problem = distance(left, right, Bounds(limit)).problem
        else:
            problem = apart(one.get("statistics", {}), other.get("statistics", {}), limit)
        if problem:
            yield found("values", problem)

    def _scalars(
        self, one: Value, other: Value, found: Callable[..., Difference], looser: bool
    ) -> Iterator[Difference]:
        left, right = one["value"], other["value"]
        if isinstance(left, float) and isinstance(right, float):
            limit = self._limit("float32", looser)  # what a float was before item() is not known
            if near(left, right, limit):
                return
        elif isinstance(left, str) and isinstance(right, str):
            if left == right or ("/" in left and "/" in right):  # files of two environments
                return
        elif left == right and one["type"] == other["type"]:
            return
        message = f"{left!r} on the source, {right!r} on the target"
        said = isinstance(left, str) and isinstance(right, str)  # with a framework's name in it
        yield found("values", message, slight=said or left == right)

    def _limit(self, dtype: str, looser: bool) -> Tolerance:
        limit = allowed(dtype, self.tolerance)
        factor = LOOSER if looser else 1.0
        return Tolerance(rtol=limit.rtol * factor, atol=limit.atol * factor)

    def _number(self, value: Value) -> Any:
        """Of a scalar, or of a tensor with one element."""
        if value["kind"] == "scalar":
            return value["value"] if not isinstance(value["value"], str) else None
        if value["kind"] != "tensor" or math.prod(value.get("shape", [0])) != 1:
            return None
        least = value.get("statistics", {}).get("least")
        return None if least is None else least


def near(left: float, right: float, limit: Tolerance) -> bool:
    if not (math.isfinite(left) and math.isfinite(right)):
        return left == right or (math.isnan(left) and math.isnan(right))
    return abs(left - right) <= limit.atol + limit.rtol * abs(left)


def apart(left: Mapping[str, float], right: Mapping[str, float], limit: Tolerance) -> str:
    """What differs of statistics, where the numbers were not kept."""
    for name in left.keys() & right.keys():
        if not near(left[name], right[name], limit):
            return f"{name} {left[name]:.9g} on the source, {right[name]:.9g} on the target"
    return ""


def stepped(value: Value) -> list[int]:
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
    return stepped(value) == stepped({**value, "strides": rows})


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


def shown(value: Value, folder: Path) -> str:
    """A value with its first numbers."""
    if value["kind"] == "sequence" and any(each["kind"] == "tensor" for each in value["items"]):
        return "; ".join(shown(each, folder) for each in value["items"][:SHOWN])
    kept = tensor(value, folder, "") if value["kind"] == "tensor" else None
    if kept is None:
        return words(value)
    flat: Sequence[Any] = numbers(kept).ravel()[: SHOWN + 1].tolist()
    first = ", ".join(f"{x:.6g}" if isinstance(x, float) else str(x) for x in flat[:SHOWN])
    return f"{words(value)} = [{first}{', ...' if len(flat) > SHOWN else ''}]"
