"""One launch of a kernel with what has to come out, and how that is compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.generic]
CORES = 48  # for vectors, and bytes of the unified buffer: of the chip that is emulated
UNIFIED_BUFFER = 196608
# An array of this type means bfloat16, which numpy has not.
BFLOAT16 = np.dtype(np.uint16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A launch: arrays are memory of the device, which the kernel may write, numbers are passed;
    None is an input of a package's operator that is left out.

    `expected` is by the place among the arguments; every other array has to stay as it was, but
    for those in `scratch`. `defect` says what is wrong in the kernel: the case has to show it.
    `unordered` says what nothing orders: that has to be told, and the numbers are compared with
    the check of order off.
    """

    name: str
    kernel: str  # or the operator of a package
    blocks: int = 0  # a package's tiling function knows
    arguments: Sequence[Array | np.generic | None]
    expected: Mapping[int, Array]
    tolerance: float = 0.0
    scratch: Sequence[int] = ()
    defect: str = ""
    unordered: str = ""


def rounded(values: ArrayLike, dtype: np.dtype[np.generic] | type) -> Array:
    """Floats as a device has them: to nearest, ties to even."""
    wanted = np.dtype(dtype)
    if wanted != BFLOAT16:
        return np.asarray(values).astype(wanted)
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(BFLOAT16)


def floats(array: Array) -> NDArray[np.float64]:
    """What the numbers of a device's memory mean."""
    if array.dtype == BFLOAT16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float64)


def error(got: Array, wanted: Array) -> float:
    """The greatest |a-b|/(1+|b|) of floats; of others infinity where they are not the same."""
    if got.dtype.kind != "f" and got.dtype != BFLOAT16:
        return 0.0 if np.array_equal(got, wanted) else float("inf")
    a, b = floats(got), floats(wanted)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0.0, np.abs(a - b) / (1 + np.abs(b)))
    apart[np.isnan(apart)] = float("inf")
    return float(apart.max(initial=0.0))
