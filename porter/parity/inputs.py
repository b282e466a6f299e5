"""Generate the numbers of tensor arguments once, as arrays both frameworks read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from porter.model import TensorSpec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]

# dtype -> exponent bits, mantissa bits, bias, whether it has infinities
FLOAT8 = {"float8_e4m3fn": (4, 3, 7, False), "float8_e5m2": (5, 2, 15, True)}


def generate(spec: TensorSpec) -> Array:
    """The array of a tensor in its logical shape; dtypes numpy lacks as their bits.

    bfloat16 comes as uint16, the float8 kinds as uint8.
    """
    import numpy as np

    floating = spec.dtype.startswith(("float", "bfloat"))
    if spec.values is not None:
        array = np.array(spec.values, dtype=np.float64 if floating else None)
        array = array.reshape(spec.shape)
    else:
        array = _random(spec)
        if spec.special:
            array = _insert_specials(array, spec)
    if spec.layout == "expanded" and spec.shape[0] > 0:
        array = np.broadcast_to(array[:1], spec.shape)
    return np.ascontiguousarray(encode(array, spec.dtype)).reshape(spec.shape)


def _random(spec: TensorSpec) -> Array:
    import numpy as np

    generator = np.random.default_rng(spec.seed)
    if spec.dtype == "bool":
        return generator.integers(0, 2, spec.shape)
    if spec.dtype.startswith(("int", "uint")):
        return generator.integers(int(spec.low), max(int(spec.high), int(spec.low) + 1), spec.shape)
    real = generator.uniform(spec.low, spec.high, spec.shape)
    if spec.dtype.startswith("complex"):
        return real + 1j * generator.uniform(spec.low, spec.high, spec.shape)
    return np.asarray(real)


def _insert_specials(array: Array, spec: TensorSpec) -> Array:
    """Every third number is one that operators forget; the first is an ordinary one."""
    import numpy as np

    if spec.dtype == "bool":
        return array
    flat = np.array(array).reshape(-1)
    found = specials(spec.dtype)
    for n, place in enumerate(range(1, flat.size, 3)):
        flat[place] = found[n % len(found)]
    return flat.reshape(np.shape(array))


def specials(dtype: str) -> tuple[Any, ...]:
    """The extremes of a dtype; of floating ones also NaN, infinities, -0.0 and the denormals."""
    import numpy as np

    if dtype.startswith(("int", "uint")):
        info = np.iinfo(dtype)
        return (int(info.max), 0, int(info.min))
    if dtype in FLOAT8:
        values = float8_values(dtype)
        finite = values[np.isfinite(values)]
        least, largest = float(finite[finite > 0].min()), float(finite.max())
        return (np.nan, -0.0, least, -least, largest, -largest)
    if dtype == "bfloat16":
        largest, least = 3.3895313892515355e38, 9.183549615799121e-41
    else:
        real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        largest, least = float(np.finfo(real).max), float(np.finfo(real).smallest_subnormal)
    return (np.nan, np.inf, -np.inf, -0.0, least, -least, largest, -largest)


def encode(array: Array, dtype: str) -> Array:
    """Numbers as an array of the dtype, or of its bits where numpy has no such dtype."""
    import numpy as np

    if dtype == "bfloat16":
        return _round_to_bfloat16(np.asarray(array, dtype=np.float32))
    if dtype in FLOAT8:
        return _round_to_float8(np.asarray(array, dtype=np.float64), dtype)
    return np.asarray(array).astype(dtype)


def decode(array: Array, dtype: str) -> Array:
    """Numbers from what `encode` gives."""
    import numpy as np

    if dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    if dtype in FLOAT8:
        return float8_values(dtype)[array]
    return array


def _round_to_bfloat16(array: NDArray[np.float32]) -> Array:
    import numpy as np

    bits = np.atleast_1d(array).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    nan = np.isnan(np.atleast_1d(array))
    return np.where(nan, np.uint16(0x7FC0), rounded).astype(np.uint16).reshape(array.shape)


def _round_to_float8(array: NDArray[np.float64], dtype: str) -> Array:
    """The nearest finite value; of two as near, the one with the even code."""
    import numpy as np

    values = float8_values(dtype)
    codes = np.flatnonzero(np.isfinite(values) & ~((values == 0) & np.signbit(values)))
    order = codes[np.argsort(values[codes])]
    line = values[order]
    above = np.clip(np.searchsorted(line, array), 1, len(line) - 1)
    low, high = line[above - 1], line[above]
    tie_up = (array - low == high - array) & (order[above] % 2 == 0)
    pick = np.where((high - array < array - low) | tie_up, order[above], order[above - 1])
    pick = np.where(np.isnan(array), np.flatnonzero(np.isnan(values))[0], pick)
    for infinity in (np.inf, -np.inf):
        found = np.flatnonzero(values == infinity)
        if len(found):
            pick = np.where(array == infinity, found[0], pick)
    return np.asarray(pick).astype(np.uint8)


@cache
def float8_values(dtype: str) -> NDArray[np.float64]:
    """The 256 numbers of a float8 dtype, by code."""
    import numpy as np

    exponent_bits, mantissa_bits, bias, infinities = FLOAT8[dtype]
    codes = np.arange(256)
    sign = np.where(codes & 0x80, -1.0, 1.0)
    exponent = (codes >> mantissa_bits) & (2**exponent_bits - 1)
    mantissa = codes & (2**mantissa_bits - 1)
    fraction = mantissa / 2**mantissa_bits
    normal = 2.0 ** (exponent - bias) * (1 + fraction)
    values = sign * np.where(exponent == 0, 2.0 ** (1 - bias) * fraction, normal)
    top = exponent == 2**exponent_bits - 1
    if infinities:
        values[top & (mantissa == 0)] = sign[top & (mantissa == 0)] * np.inf
        values[top & (mantissa != 0)] = np.nan
    else:
        values[top & (mantissa == 2**mantissa_bits - 1)] = np.nan
    return np.asarray(values, dtype=np.float64)
