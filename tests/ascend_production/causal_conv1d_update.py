"""One step of a convolution over time for each sequence, with its state in a cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import CORES, Array, Case
from tests.ascend_production.convolution import TYPES, convolved, numbers

FILES = ("csrc/causal_conv1d_update/op_kernel/causal_conv1d_update.cpp",)
KERNELS = tuple(f"causal_conv1d_update_{kind}" for kind in TYPES)
PAD = -1


def _case(
    batch: int,
    length: int,
    dim: int,
    width: int,
    kind: str,
    plain: bool,
    random: np.random.Generator,
) -> Case:
    dtype = TYPES[kind]
    x = numbers(random, batch, length, dim, dtype=dtype)
    weight = numbers(random, width, dim, dtype=dtype)
    lines = batch if plain else batch + 3
    state = numbers(random, lines, width - 1, dim, dtype=dtype)
    nothing = np.zeros(0, dtype)
    bias = nothing if plain else numbers(random, dim, dtype=dtype)
    lines_of: Array = np.arange(batch) if plain else random.permutation(lines)[:batch]
    if not plain and batch > 2:
        lines_of[1] = PAD
    y = np.full_like(x, 7)
    wanted, after = y.copy(), state.copy()
    for b, line in enumerate(lines_of):
        if line != PAD:
            given = None if plain else bias
            wanted[b], after[line] = convolved(x[b], weight, state[line], given, not plain)
    blocks = min(CORES, batch)
    share = batch // blocks
    tiling = [blocks, share, batch - share * (blocks - 1), batch, length, dim, width, width - 1]
    tiling += [not plain, not plain, 0, 0, not plain, PAD]
    indices = nothing if plain else lines_of.astype(np.int32)
    return Case(
        name=f"{batch} of {length}x{dim}, width {width}, {kind}{', plain' if plain else ''}",
        kernel=f"causal_conv1d_update_{kind}",
        blocks=blocks,
        arguments=(
            *(x, weight, state, indices, bias, nothing, nothing, y),
            *(np.zeros(32, np.uint8), np.array(tiling, np.int64)),
        ),
        expected={2: after, 7: wanted},
        scratch=(8,),
        tolerance=1e-3 if kind == "half" else 8e-3,
        defect="" if dim % 16 == 0 else "rows of the weight do not begin at multiples of 32 bytes",
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind in TYPES:
        yield _case(1, 1, 16, 2, kind, True, random)
        yield _case(3, 3, 64, 4, kind, False, random)
        yield _case(50, 2, 128, 3, kind, False, random)
        yield _case(2, 5, 1008, 3, kind, True, random)
        yield _case(4, 4, 4096, 4, kind, False, random)
    yield _case(2, 5, 1000, 3, "half", True, random)
