"""Adapters of low rank: y = x W for the adapter of each token, and y += x W back.

The same operators four times: an adapter for each token (bgmv), for each sequence (sgmv), or for
each sequence with ranks, scales and slices of their own (sgemmv).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.ascend_production.case import BFLOAT16, CORES, Array, floats, rounded

TYPES = {"half": np.dtype(np.float16), "bfloat16_t": BFLOAT16}
ADAPTERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Tokens, and the adapter of each: -1 for none."""

    lengths: Array
    chosen: Array  # of each sequence
    adapters: Array  # of each token

    @property
    def tokens(self) -> int:
        return len(self.adapters)

    @property
    def of_a_core(self) -> int:
        """Tokens, as the host divides them."""
        return -(-self.tokens // CORES)

    @property
    def blocks(self) -> int:
        return -(-self.tokens // self.of_a_core)


def batch(tokens: int, whole: bool, random: np.random.Generator) -> Batch:
    """Tokens in up to four sequences, or each one alone."""
    cuts = np.arange(1, tokens) if whole else np.unique(random.integers(0, tokens + 1, 3))
    lengths = np.diff([0, *cuts, tokens])
    chosen = random.integers(-1, ADAPTERS, len(lengths))
    chosen[np.flatnonzero(lengths)[-1]] = ADAPTERS - 1  # of the last token
    return Batch(lengths=lengths, chosen=chosen, adapters=np.repeat(chosen, lengths))


def numbers(random: np.random.Generator, *shape: int, dtype: np.dtype[np.generic]) -> Array:
    return rounded(random.normal(size=shape) / 4, dtype)


def shrunk(x: Array, weight: Array, of: Array, scale: Array, ranks: Array, y: Array) -> Array:
    """Sums in double; what no adapter is for stays."""
    wanted = floats(y)
    for token, adapter in enumerate(of):
        if adapter >= 0 and ranks[adapter]:
            rank = ranks[adapter]
            sums = floats(weight)[adapter, :rank] @ floats(x)[token]
            wanted[token, :rank] = sums * scale[adapter]
    return rounded(wanted, y.dtype)


def expanded(x: Array, weight: Array, of: Array, y: Array, first: int) -> Array:
    """y with x W added to the columns from `first`."""
    wanted = floats(y)
    for token, adapter in enumerate(of):
        if adapter >= 0:
            added = floats(weight)[adapter] @ floats(x)[token]
            wanted[token, first : first + len(added)] += added
    return rounded(wanted, y.dtype)


def tolerance(kind: str) -> float:
    """One unit in the last place: sums are in float, in another order."""
    return 1e-3 if kind == "half" else 8e-3
