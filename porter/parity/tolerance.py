"""How far apart two answers of one dtype may be: as in torch.testing, of float64 less."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from porter.model import Tolerance

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


def allowed(dtype: str, own: Tolerance | None) -> Tolerance:
    """The tolerance of a case for a result of this dtype; integers and booleans are exact."""
    if dtype.startswith("float8"):
        return own or EXACT
    if dtype not in DEFAULTS:
        return EXACT
    return own or DEFAULTS[dtype]


def noise(limit: Tolerance) -> float:
    """How many tolerances the source may be off by itself, to excuse as much in the target."""
    return min(NOISE, 0.1 / limit.rtol) if limit.rtol else NOISE


def loosened(own: Tolerance, dtypes: Iterable[str]) -> bool:
    """Whether a case allows more than the strictest default of its arguments' dtypes."""
    floating = [DEFAULTS[dtype] for dtype in dtypes if dtype in DEFAULTS]
    defaults = floating or [DEFAULTS["float32"]]
    return any(own.rtol > each.rtol or own.atol > each.atol for each in defaults)
