"""Convolutions over time that see nothing of the future: y[t] is of x[t] and those before it,
which for the first ones are in a state; afterwards the state has the last ones."""

from __future__ import annotations

import numpy as np

from tests.ascend_production.case import BFLOAT16, Array, floats, rounded

TYPES = {"half": np.dtype(np.float16), "bfloat16_t": BFLOAT16}


def numbers(random: np.random.Generator, *shape: int, dtype: np.dtype[np.generic]) -> Array:
    return rounded(random.normal(size=shape) / 2, dtype)


def convolved(
    x: Array, weight: Array, before: Array, bias: Array | None, silu: bool
) -> tuple[Array, Array]:
    """y of one sequence, and the state after it."""
    width = len(weight)
    seen = np.concatenate([floats(before), floats(x)])
    y = sum(floats(weight)[k] * seen[k : k + len(x)] for k in range(width))
    y = np.asarray(y) + (0 if bias is None else floats(bias))
    if silu:
        y = y / (1 + np.exp(-y))
    return rounded(y, x.dtype), rounded(seen[len(seen) - len(before) :], x.dtype)
