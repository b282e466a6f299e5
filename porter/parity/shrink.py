"""Make a failing case smaller, as long as it fails in the same way."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from porter.model import Argument, ParityCase, TensorSpec
from porter.parity.cases import INTEGER
from porter.parity.inputs import decode, generate

TRIES = 100  # inputs that Hypothesis makes to begin with; it tries more while it shrinks
MOST = 32  # elements of all tensors, up to which each number is made simpler by itself
WHOLE_RANGE = 20  # so much more often than anything smaller a part is tried as it is

Fails: TypeAlias = Callable[[ParityCase], bool]
Path: TypeAlias = tuple[str | int, ...]  # to an argument: ("args", 0), ("kwargs", "out")


@dataclass(frozen=True, slots=True)
class Part:
    """Something of a case that can be smaller: from 0 to `whole`, which leaves it as it is."""

    whole: int
    put: Callable[[ParityCase, int], ParityCase]


def smallest(case: ParityCase, fails: Fails, seconds: float) -> ParityCase:
    """The smallest case found in the time, with sizes, layouts, numbers as simple as can be.

    `fails` is asked about smaller cases only, never twice about one. Equal sizes shrink together
    first, then each by itself; the numbers last, where there are few.
    """
    until = time.monotonic() + seconds
    for parts in (_sizes, _single_sizes, _numbers, _elements):
        case = _minimize(case, tuple(parts(case)), fails, until)
    return case


def _minimize(case: ParityCase, parts: Sequence[Part], fails: Fails, until: float) -> ParityCase:
    """The case with the least values of its parts with which it still fails."""
    from hypothesis import HealthCheck, Phase, Verbosity, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import NoSuchExample

    if not parts:
        return case
    whole = tuple(part.whole for part in parts)
    known = {whole: True}

    def still_fails(values: tuple[int, ...]) -> bool:
        if values not in known:
            known[values] = time.monotonic() < until and fails(_replace_values(case, parts, values))
        return known[values]

    # Hypothesis begins with whatever fails: mostly the parts as they are, some of them smaller
    each = (st.integers(0, WHOLE_RANGE * n).map(partial(min, n)) for n in whole)
    try:
        least = find(
            st.tuples(*each),
            still_fails,
            settings=settings(
                max_examples=TRIES,
                database=None,
                deadline=None,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
                verbosity=Verbosity.quiet,
            ),
            random=random.Random(0),
        )
    except NoSuchExample:
        return case
    return _replace_values(case, parts, least)


def _replace_values(case: ParityCase, parts: Sequence[Part], values: Sequence[int]) -> ParityCase:
    for part, value in zip(parts, values, strict=True):
        if value != part.whole:
            case = part.put(case, value)
    return case


# ----------------------------------------------------------------------- parts


def _sizes(case: ParityCase) -> Iterator[Part]:
    """Each size that tensors have, with the integer arguments that are the same number."""
    specs = (spec for _, spec in _find_tensors(case) if spec.values is None)
    sizes = {size for spec in specs for size in spec.shape if size}
    for size in sorted(sizes):  # what one is made is below those that follow
        yield Part(size, lambda case, value, size=size: _resize(case, size, value))  # type: ignore[misc]


def _resize(case: ParityCase, size: int, value: int) -> ParityCase:
    def resize(argument: Argument, path: Path) -> Argument:
        if isinstance(argument, TensorSpec) and argument.values is None:
            return replace(argument, shape=tuple(value if n == size else n for n in argument.shape))
        # 0 and 1 are more often an axis or a switch
        return value if type(argument) is int and argument == size > 1 else argument

    return _map_case(case, resize)


def _single_sizes(case: ParityCase) -> Iterator[Part]:
    """Each size of each tensor by itself."""
    for path, spec in _find_tensors(case):
        for axis, size in enumerate(spec.shape if spec.values is None else ()):

            def resize(spec: TensorSpec, value: int, axis: int = axis) -> TensorSpec:
                shape = (*spec.shape[:axis], value, *spec.shape[axis + 1 :])
                return replace(spec, shape=shape)

            if size:
                yield _tensor_part(path, size, resize)


def _numbers(case: ParityCase) -> Iterator[Part]:
    """Plain layouts, no gradient, ordinary numbers."""
    for path, spec in _find_tensors(case):
        simpler: dict[str, Any] = {"layout": "contiguous", "grad": False, "special": False}
        for name, value in simpler.items():
            if getattr(spec, name) != value:
                yield _tensor_part(path, 1, lambda s, _, more={name: value}: replace(s, **more))  # type: ignore[misc]


def _elements(case: ParityCase) -> Iterator[Part]:
    """Each number: 0, 1, a whole one, or what it is."""
    specs = [(path, spec) for path, spec in _find_tensors(case) if "complex" not in spec.dtype]
    if sum(math.prod(spec.shape) for _, spec in specs) > MOST:
        return
    for path, spec in specs:
        for place in range(math.prod(spec.shape)):

            def put(spec: TensorSpec, value: int, place: int = place) -> TensorSpec:
                flat = _flat(spec)
                flat[place] = _simpler(flat[place], value)
                return replace(spec, values=_nest(flat, spec.shape), special=False)

            yield _tensor_part(path, 3, put)


def _simpler(number: Any, step: int) -> Any:
    if isinstance(number, bool):
        return bool(step) and number
    if step == 2:  # 0, 1, then the nearest whole number
        return type(number)(round(number)) if math.isfinite(number) else number
    return type(number)(step)


def _flat(spec: TensorSpec) -> list[Any]:
    """The numbers of a tensor as Python has them."""
    array = decode(generate(spec), spec.dtype)
    kind = bool if spec.dtype == "bool" else int if spec.dtype in INTEGER else float
    return [kind(number) for number in array.reshape(-1)]


def _nest(flat: Sequence[Any], shape: tuple[int, ...]) -> Any:
    if not shape:
        return flat[0]
    step = len(flat) // shape[0]
    rows = (flat[n * step : (n + 1) * step] for n in range(shape[0]))
    return tuple(_nest(row, shape[1:]) for row in rows)


def _tensor_part(path: Path, whole: int, put: Callable[[TensorSpec, int], TensorSpec]) -> Part:
    def put_in_case(case: ParityCase, value: int) -> ParityCase:
        def change(argument: Argument, at: Path) -> Argument:
            if at == path and isinstance(argument, TensorSpec):
                return put(argument, value)
            return argument

        return _map_case(case, change)

    return Part(whole, put_in_case)


# ------------------------------------------------------------------- arguments


def _find_tensors(case: ParityCase) -> list[tuple[Path, TensorSpec]]:
    """Every tensor of a case, nested ones too, with its place."""
    found: list[tuple[Path, TensorSpec]] = []

    def look(argument: Argument, path: Path) -> Argument:
        if isinstance(argument, TensorSpec):
            found.append((path, argument))
        return argument

    _map_case(case, look)
    return found


def _map_case(case: ParityCase, change: Callable[[Argument, Path], Argument]) -> ParityCase:
    """The case with every argument changed, nested ones too."""

    def map_argument(argument: Argument, path: Path) -> Argument:
        if isinstance(argument, tuple):
            return tuple(map_argument(each, (*path, n)) for n, each in enumerate(argument))
        return change(argument, path)

    return replace(
        case,
        args=tuple(map_argument(a, ("args", n)) for n, a in enumerate(case.args)),
        kwargs={key: map_argument(a, ("kwargs", key)) for key, a in case.kwargs.items()},
    )
