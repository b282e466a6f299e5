"""Slices of y += x W of the adapter of each sequence, each with its rank: x has the slices of a
token one after the other, each as long as its rank."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tests.ascend_production import lora
from tests.ascend_production.case import Array, Case, floats, rounded

FILES = ("csrc/lora/op_kernel/sgemmv_expand_kernel.cpp",)
KERNELS = tuple(f"sgemmv_expand_{kind}" for kind in lora.TYPES)


def _wanted(x: Array, weight: Array, of: Array, y: Array, ranks: Array, slices: Array) -> Array:
    wanted = floats(y)
    for token, adapter in enumerate(of):
        rank = int(ranks[adapter]) if adapter >= 0 else 0
        for number, (first, last) in enumerate(pairwise(slices)):
            part = floats(x)[token, number * rank : (number + 1) * rank]
            wanted[token, first:last] += floats(weight)[adapter, first:last, :rank] @ part
    return rounded(wanted, y.dtype)


def _case(
    tokens: int, widths: list[int], rank: int, kind: str, random: np.random.Generator
) -> Case:
    dtype = lora.TYPES[kind]
    given = lora.batch(tokens, False, random)
    slices = np.cumsum([0, *widths]).astype(np.int32)
    full = int(slices[-1])
    x = lora.numbers(random, tokens, len(widths) * rank, dtype=np.dtype(np.float32))
    weight = lora.numbers(random, lora.ADAPTERS, full, rank, dtype=dtype)
    y = lora.numbers(random, tokens, full, dtype=dtype)
    ranks = np.array([0, 16, rank], np.int32)
    count, adapters = np.uint32(len(given.lengths)), np.uint32(lora.ADAPTERS)
    chosen, lengths = (a.astype(np.int32) for a in (given.chosen, given.lengths))
    few = tokens % given.of_a_core and len(widths) > 1
    return Case(
        name=f"{tokens} tokens of {count}, {rank} to {widths}, {kind}",
        kernel=f"sgemmv_expand_{kind}",
        blocks=-(-tokens * len(widths) // given.of_a_core),
        arguments=(
            *(x, weight, chosen, count, lengths, count, ranks, adapters),
            *(slices, np.uint32(len(slices)), y, y.copy()),
            *map(np.uint32, (tokens, given.of_a_core, rank, full)),
        ),
        expected={11: _wanted(x, weight, given.adapters, y, ranks, slices)},
        tolerance=lora.tolerance(kind),
        defect="too few blocks for the slices of the last tokens" if few else "",
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind in lora.TYPES:
        for tokens, widths, rank in (
            (1, [128], 16),
            (9, [256, 64, 64], 16),
            (50, [64, 32], 32),
            (2, [4352, 256], 64),
        ):
            yield _case(tokens, widths, rank, kind, random)
    yield _case(49, [64, 32, 32], 32, "half", random)
