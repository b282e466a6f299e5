"""A convolution over time of sequences one after another, each with its state in a cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import CORES, Array, Case
from tests.ascend_production.convolution import TYPES, convolved, numbers

FILES = ("csrc/causal_conv1d/op_kernel/causal_conv1d.cpp",)
KERNELS = ("causal_conv1d",)
WIDEST = 4096  # of a block
PAD = -1


def _case(
    lengths: list[int], dim: int, width: int, kind: str, states: bool, random: np.random.Generator
) -> Case:
    dtype = TYPES[kind]
    tokens, batch = sum(lengths), len(lengths)
    starts = np.cumsum([0, *lengths]).astype(np.int64)
    x = numbers(random, tokens, dim, dtype=dtype)
    weight, bias = numbers(random, width, dim, dtype=dtype), numbers(random, dim, dtype=dtype)
    lines = batch + 2
    state = numbers(random, lines, width - 1, dim, dtype=dtype)
    lines_of = random.permutation(lines)[:batch].astype(np.int64)
    with_state = random.integers(0, 2, batch).astype(np.int64)
    y = np.full_like(x, 7)
    wanted, after = y.copy(), state.copy()
    for b, line in enumerate(lines_of):
        own = slice(starts[b], starts[b + 1])
        before = state[line] if states and with_state[b] else np.zeros_like(state[line])
        wanted[own], after[line] = convolved(x[own], weight, before, bias, True)
    cuts = 1 if dim <= WIDEST else -(-dim // WIDEST)
    size = -(-tokens // max(CORES // cuts, 1))
    blocks = -(-tokens // size)
    none: Array = np.zeros(0, np.int64)
    tiling = [dim, tokens, 0, 0, width, width - 1, lines, batch, 1, PAD, 1, min(dim, WIDEST), cuts]
    tiling += [0, 1, states, size, blocks, 0, 0, *[0] * 256, states]
    tiling += [kind == "half", 0, width - 1, 1 if cuts == 1 else 2]
    workspace = 16 * 1024 * 1024 + blocks * cuts * 32 + batch * (width - 1) * dim * 2
    return Case(
        name=f"{lengths} of {dim}, width {width}, {kind}{', states' if states else ''}",
        kernel="causal_conv1d",
        blocks=min(CORES, blocks * cuts),
        arguments=(
            *(x, weight, state, bias, starts, lines_of, with_state if states else none, none, y),
            *(np.zeros(workspace if states else 32, np.uint8), np.array(tiling, np.int64)),
        ),
        expected={2: after, 8: wanted},
        scratch=(9,),
        tolerance=1e-3 if kind == "half" else 8e-3,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind in TYPES:
        yield _case([1], 16, 2, kind, False, random)
        yield _case([5, 1, 9], 64, 4, kind, False, random)
        yield _case([100, 60], 128, 3, kind, False, random)
        yield _case([7, 4], 4096 + 256, 4, kind, False, random)
        yield _case([5, 1, 9], 64, 4, kind, True, random)
