"""Make the points of a case's grid: the case again with other dtypes, sizes, layouts and values."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Axes: TypeAlias = Mapping[str, Sequence[Any]]

# A word instead of an array of values. Sizes: odd, empty, one, about a tile of 32, beyond it.
SETS: Mapping[str, Sequence[Any]] = {
    "floating": ("float32", "float64", "float16", "bfloat16"),
    "integer": ("int64", "int32", "int16", "int8", "uint8"),
    "sizes": (5, 0, 1, 31, 33, 128),
    "layouts": ("contiguous", "transposed", "sliced", "expanded"),
    "numbers": ("uniform", "special"),
}
WHOLE = 64  # points up to which every combination is made
LARGE = "large"  # among an axis's values: a size, as large as ELEMENTS allow
_WHOLE = re.compile(r"[0-9]{1,12}")  # a size written in a product
ELEMENTS = 1 << 22  # of all tensor arguments of a case: 32 MiB of float64


def points(entry: Mapping[str, Any], axes: Axes) -> Iterator[tuple[str, dict[str, Any]]]:
    """(what is different about it, the case without its grid) for each point.

    Every combination of the axes' values where these are few; else so many that each pair of
    values of two axes meets once, and not in empty tensors, which show nothing of it.
    """
    every = math.prod(len(values) for values in axes.values())
    written = {key: value for key, value in entry.items() if key != "grid"}
    if every <= WHOLE:
        chosen: Iterator[tuple[Any, ...]] = itertools.product(*axes.values())
    else:
        chosen = _pairs(list(axes.values()), _empty(axes, set(_sizes(written))))
    for values in chosen:
        point = dict(zip(axes, values, strict=True))
        words = {k: isinstance(v, str) and v != LARGE for k, v in point.items()}
        named = " ".join(f"{v}" if words[k] else f"{k}={v}" for k, v in point.items())
        sized = _set_size(written, point) if LARGE in values else point
        filled = {k: _fill_axes(v, sized) for k, v in written.items() if k in ("args", "kwargs")}
        yield named, written | filled


def _set_size(written: Mapping[str, Any], point: Mapping[str, Any]) -> dict[str, Any]:
    """With the largest size 2**k + 1, no multiple of a tile, for which there is room."""
    arguments = [value for key, value in written.items() if key in ("args", "kwargs")]
    for k in range(ELEMENTS.bit_length(), -1, -1):
        sized = {axis: (1 << k) + 1 if v == LARGE else v for axis, v in point.items()}
        if _elements(_fill_axes(arguments, sized)) <= ELEMENTS:
            break
    return sized


def _elements(arguments: Any) -> int:
    """Of the tensors described in arguments; a shape that is none is told when it is read."""
    shapes = (shape for shape in _shapes(arguments) if isinstance(shape, list))
    return sum(math.prod(s) for s in shapes if s and all(type(size) is int for size in s))


def _shapes(value: Any) -> Iterator[Any]:
    """What is written for shapes, at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from _shapes(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from [each] if key == "shape" else _shapes(each)


def _fill_axes(value: Any, point: Mapping[str, Any], size: bool = False) -> Any:
    """With the values of this point in place of the names of axes."""
    if isinstance(value, dict):
        return {k: _fill_axes(each, point, size=k == "shape") for k, each in value.items()}
    if isinstance(value, list):
        return [_fill_axes(each, point, size) for each in value]
    if not isinstance(value, str):
        return value
    if size and "*" in value:
        factors = [_fill_axes(part.strip(), point) for part in value.split("*")]
        numbers = [int(f) if isinstance(f, str) and _WHOLE.fullmatch(f) else f for f in factors]
        whole = all(type(number) is int for number in numbers)
        return math.prod(numbers) if whole else value
    return point.get(value, value)


def _sizes(value: Any) -> Iterator[str]:
    """The words in shapes: axes that are sizes among them."""
    for shape in _shapes(value):
        sizes = shape if isinstance(shape, list) else [shape]
        yield from (w for s in sizes if isinstance(s, str) for w in re.findall(r"\w+", s))


def _empty(axes: Axes, sizes: Collection[str]) -> set[tuple[int, int]]:
    """The values that leave nothing in a tensor, each as (axis, place in it)."""
    return {
        (place, n)
        for place, (name, values) in enumerate(axes.items())
        for n, value in enumerate(values)
        if name in sizes and value == 0 and any(values)
    }


def _pairs(
    axes: Sequence[Sequence[Any]], empty: Collection[tuple[int, int]]
) -> Iterator[tuple[Any, ...]]:
    """Combinations that hold each pair of values of two axes, the first of each axis first; a pair
    without one of the `empty` values in a combination without such values."""
    places = range(len(axes))
    left = {
        ((one, a), (other, b))
        for one, other in itertools.combinations(places, 2)
        for a in range(len(axes[one]))
        for b in range(len(axes[other]))
    }
    pick: list[int] = [0] * len(axes)
    while True:
        held = {*enumerate(pick)} & {*empty}
        left -= {
            pair
            for pair in itertools.combinations(enumerate(pick), 2)
            if not held or held & {*pair}
        }
        yield tuple(axes[place][n] for place, n in enumerate(pick))
        if not left:
            return
        pick = _next(min(left), left, axes, empty)


def _next(
    seed: tuple[tuple[int, int], tuple[int, int]],
    left: set[tuple[tuple[int, int], tuple[int, int]]],
    axes: Sequence[Sequence[Any]],
    empty: Collection[tuple[int, int]],
) -> list[int]:
    """The pair, and for each other axis the value that makes most pairs that are left; no empty one
    beside a pair that has none."""
    chosen = dict(seed)
    full = not any(each in empty for each in seed)
    for place in range(len(axes)):
        if place in chosen:
            continue

        def rate_gain(value: int, place: int = place) -> tuple[bool, int, int]:
            new = [tuple(sorted([(place, value), each])) for each in chosen.items()]
            hides = full and (place, value) in empty
            return not hides, sum(pair in left for pair in new), -value

        chosen[place] = max(range(len(axes[place])), key=rate_gain)
    return [chosen[place] for place in range(len(axes))]
