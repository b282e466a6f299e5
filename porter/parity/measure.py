"""How far one tensor is from another, and how far it may be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from porter.model import Tolerance
from porter.parity.answers import TensorAnswer
from porter.parity.inputs import decode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

# How far apart answers of a dtype may be: as in torch.testing, of float64 less.
DEFAULTS = MappingProxyType(
    {
        # torch.testing allows 1e-7, and so whatever was rounded to float32 on the way (6e-8)
        "float64": Tolerance(rtol=1e-9, atol=1e-9),
        "complex128": Tolerance(rtol=1e-9, atol=1e-9),
        "float32": Tolerance(rtol=1.3e-6, atol=1e-5),
        "complex64": Tolerance(rtol=1.3e-6, atol=1e-5),
        "float16": Tolerance(rtol=1e-3, atol=1e-5),
        "bfloat16": Tolerance(rtol=1.6e-2, atol=1e-5),
    }
)
# Where the source is off from a reference of higher precision, or varies by itself, the target may
# be off by so many times as much, and by its tolerance besides.
TWO_SIDED = 2.0
# What the source is off by more than so many tolerances, or a tenth of the number, is no rounding:
# random numbers, or another result in higher precision.
NOISE = 1000.0
EXACT = Tolerance(rtol=0.0, atol=0.0)
INEXACT = frozenset(DEFAULTS)
BITS = {"float64": "int64", "float32": "int32", "float16": "int16", "bfloat16": "int16"}


def tolerance_for(dtype: str, own: Tolerance | None) -> Tolerance:
    """The tolerance of a case for a result of this dtype; integers and booleans are exact."""
    if dtype.startswith("float8"):
        return own or EXACT
    if dtype not in DEFAULTS:
        return EXACT
    return own or DEFAULTS[dtype]


def noise(limit: Tolerance) -> float:
    """How many tolerances the source may be off by itself, to excuse as much in the target."""
    return min(NOISE, 0.1 / limit.rtol) if limit.rtol else NOISE


def is_loosened(own: Tolerance, dtypes: Iterable[str]) -> bool:
    """Whether a case allows more than the strictest default of its arguments' dtypes."""
    floating = [DEFAULTS[dtype] for dtype in dtypes if dtype in DEFAULTS]
    defaults = floating or [DEFAULTS["float32"]]
    return any(own.rtol > each.rtol or own.atol > each.atol for each in defaults)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """Of the target's tensor from the source's; `problem` is empty where it is allowed.

    `units` counts in the tolerance of each element, atol + rtol * |expected|: up to 1 is allowed
    by the tolerance alone.
    """

    problem: str = ""
    excuse: str = ""  # why it may be farther off than its tolerance
    max_abs: float = 0.0
    max_rel: float = 0.0
    units: float = 0.0
    max_ulp: float | None = None  # units in the last place, where the numbers exceed atol
    cosine: float | None = None  # of the two as vectors

    def merge(self, other: Distance) -> Distance:
        """The greatest of each, and the least cosine."""
        ulps = [each for each in (self.max_ulp, other.max_ulp) if each is not None]
        cosines = [each for each in (self.cosine, other.cosine) if each is not None]
        return Distance(
            excuse=self.excuse or other.excuse,
            max_abs=max(self.max_abs, other.max_abs),
            max_rel=max(self.max_rel, other.max_rel),
            units=max(self.units, other.units),
            max_ulp=max(ulps, default=None),
            cosine=min(cosines, default=None),
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may be: the tolerance of the dtype or of the case, and what the source is off itself."""

    limit: Tolerance
    reference: TensorAnswer | None = None  # the same in higher precision
    repeats: tuple[TensorAnswer, ...] = ()  # what the source answered to the same call again
    trusted: bool = False  # the reference is the case's own: the source, too, must keep to it


def numbers(answer: TensorAnswer) -> Array:
    """Its numbers, as float64 or complex128 where they are no integers."""
    import numpy as np

    found = decode(answer.data, answer.dtype)
    if not np.issubdtype(found.dtype, np.inexact):
        return found
    with np.errstate(invalid="ignore"):  # a signalling NaN is one all the same
        return found.astype(np.complex128 if np.iscomplexobj(found) else np.float64)


def is_near(left: float, right: float, limit: Tolerance) -> bool:
    """Whether a number is as far from another as it may be, or neither is one."""
    if not (math.isfinite(left) and math.isfinite(right)):
        return left == right or (math.isnan(left) and math.isnan(right))
    return abs(left - right) <= limit.atol + limit.rtol * abs(left)


def distance(source: TensorAnswer, target: TensorAnswer, bounds: Bounds) -> Distance:
    """Compare two tensors of one dtype and shape."""
    import numpy as np

    expected, actual = numbers(source), numbers(target)
    if expected.size == 0:
        return Distance()
    own = _check_source(source, bounds)
    if own:
        return Distance(problem=own)
    problem = special(expected, actual) if np.issubdtype(expected.dtype, np.inexact) else ""
    if problem:
        return Distance(problem=problem)
    usable = np.isfinite(expected)
    left, right = np.where(usable, expected, 0), np.where(usable, actual, 0)
    exact = bounds.limit.rtol == bounds.limit.atol == 0
    wide = left if np.iscomplexobj(left) else left.astype(np.float64)
    absolute = np.abs(right.astype(wide.dtype) - wide)
    size = np.abs(wide)
    relative = np.divide(absolute, size, out=np.zeros_like(absolute), where=size > 0)
    unit = bounds.limit.atol + bounds.limit.rtol * size
    # equality of integers is judged on the integers: float64 cannot tell large ones apart
    wrong = left != right if exact else absolute > unit
    excuse = _find_excuse(source, target, bounds) if wrong.any() else ""
    problem = ""
    if wrong.any() and not excuse:
        count, limit = int(wrong.sum()), bounds.limit
        place = _index(np.argmax(absolute), wrong.shape)
        farthest = _index(np.argmax(relative), wrong.shape)
        problem = (
            f"{count} of {wrong.size} elements differ ({100 * count / wrong.size:.1f} %): "
            f"greatest absolute difference {absolute[place]:.6g} at {place} "
            f"({expected[place]:.9g} on the source, {actual[place]:.9g} on the target; "
            f"allowed {limit.atol:g}), greatest relative difference {relative[farthest]:.6g} "
            f"at {farthest} (allowed {limit.rtol:g})"
        )
        problem += f", because {limit.reason}" if limit.reason else ""
    with np.errstate(over="ignore"):  # what is too large for a number is far enough off
        units = absolute / unit if not exact else np.zeros_like(absolute)
    return Distance(
        problem=problem,
        excuse=excuse,
        max_abs=float(absolute.max()),
        max_rel=float(relative.max()),
        units=float(units.max()),
        max_ulp=_ulps(source, target, usable & (size > bounds.limit.atol)),
        cosine=_cosine(wide, right),
    )


def special(expected: Array, actual: Array) -> str:
    """What is wrong where NaN and infinities do not stand at the same places."""
    import numpy as np

    parts = [(expected, actual)]
    if np.iscomplexobj(expected):
        parts = [(expected.real, actual.real), (expected.imag, actual.imag)]
    for left, right in parts:
        for name, test in (("NaN", np.isnan), ("inf", np.isposinf), ("-inf", np.isneginf)):
            differ = test(left) != test(right)
            if differ.any():
                where = _index(np.argmax(differ), differ.shape)
                count = f"{int(differ.sum())} of {differ.size}"
                return f"{name} at different positions: {count}, for example at {where}"
    return ""


# ---------------------------------------------------------- what the source is off itself


def _check_source(source: TensorAnswer, bounds: Bounds) -> str:
    """Why the source itself is not to be trusted: it is off from the reference of its case."""
    import numpy as np

    if not bounds.trusted or bounds.reference is None:
        return ""
    if bounds.reference.shape != source.shape:
        return f"{source.shape} on the source, {bounds.reference.shape} in the reference"
    expected, actual = numbers(bounds.reference), numbers(source)
    units = _units(actual, expected, bounds.limit)
    if not (units > 1).any():
        return ""
    most = _index(np.argmax(units), units.shape)
    return (
        f"the source differs from the reference at {int((units > 1).sum())} of {units.size} "
        f"elements, for example at {most}: {actual[most]:.9g} for {expected[most]:.9g}"
    )


def _units(actual: Array, expected: Array, limit: Tolerance) -> Array:
    """The distance of each element in its tolerance; infinite where one only is no number."""
    import numpy as np

    with np.errstate(all="ignore"):
        size = np.abs(expected.astype(np.complex128))
        far = np.abs(actual.astype(np.complex128) - expected.astype(np.complex128))
        unit = limit.atol + limit.rtol * size
        found = np.where(far == 0, 0.0, far / unit)
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    usable = np.isfinite(actual) & np.isfinite(expected)
    return np.where(same, 0.0, np.where(usable, found, np.inf))


def _find_excuse(source: TensorAnswer, target: TensorAnswer, bounds: Bounds) -> str:
    """Why the target may be as far off as it is; empty where it may not."""
    import numpy as np

    if source.dtype not in INEXACT:
        return ""
    first = numbers(source)
    spread = max(
        (_units(numbers(again), first, bounds.limit).max() for again in bounds.repeats), default=0.0
    )
    far = _units(numbers(target), first, bounds.limit).max()
    if 0 < spread <= noise(bounds.limit) and far <= 1 + TWO_SIDED * spread:
        return f"the source itself varies by {spread:.3g} times the tolerance from call to call"
    reference = bounds.reference
    if reference is None or reference.shape != source.shape:
        return ""
    exact = numbers(reference)
    usable = np.isfinite(exact) & np.isfinite(numbers(source))
    ours = _units(numbers(source), exact, bounds.limit)[usable]
    theirs = _units(numbers(target), exact, bounds.limit)[usable]
    if not usable.any() or ours.max() > noise(bounds.limit):
        return ""
    if theirs.max() > 1 + TWO_SIDED * ours.max():
        return ""
    return (
        f"compared with the reference, the source is off by {ours.max():.3g} times the tolerance, "
        f"the target by {theirs.max():.3g}"
    )


def _ulps(source: TensorAnswer, target: TensorAnswer, usable: Array) -> float | None:
    import numpy as np

    if source.dtype not in BITS:
        return None
    kind = np.dtype(BITS[source.dtype])
    lines = []
    for data in (source.data, target.data):
        bits = np.ascontiguousarray(data).view(kind).reshape(data.shape)
        # the codes of negative numbers run the other way
        ordered = np.where(bits < 0, np.iinfo(kind).min - bits.astype(object), bits.astype(object))
        lines.append(ordered[usable])
    far = np.abs(lines[0] - lines[1])
    return float(far.max()) if far.size else 0.0


def _cosine(left: Array, right: Array) -> float | None:
    import numpy as np

    one, other = left.ravel(), right.ravel().astype(left.dtype)
    with np.errstate(over="ignore"):
        lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    if not lengths or not math.isfinite(lengths):
        return None
    return float(np.real(np.vdot(one, other))) / lengths


def _index(flat: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    import numpy as np

    return tuple(int(i) for i in np.unravel_index(int(flat), shape))
