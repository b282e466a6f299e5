"""A slice of y += x W of the adapter of each token."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production import lora
from tests.ascend_production.case import Case

FILES = ("csrc/lora/op_kernel/bgmv_expand_kernel.cpp", "csrc/kernels/bgmv_expand.cpp")
KERNELS = tuple(f"bgmv_expand_{kind}" for kind in lora.TYPES)
SHAPES = ((1, 128, 8, 0, 128), (7, 256, 16, 64, 512), (49, 64, 32, 0, 96), (2, 4352, 64, 16, 4368))


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind, dtype in lora.TYPES.items():
        for tokens, hidden, rank, first, full in SHAPES:
            given = lora.batch(tokens, True, random)
            x = lora.numbers(random, tokens, rank, dtype=np.dtype(np.float32))
            weight = lora.numbers(random, lora.ADAPTERS, hidden, rank, dtype=dtype)
            y = lora.numbers(random, tokens, full, dtype=dtype)
            wanted = lora.expanded(x, weight, given.adapters, y, first)
            shape = (tokens, given.of_a_core, rank, hidden, first, full)
            yield Case(
                name=f"{tokens} tokens, {rank} to {hidden} of {full}, {kind}",
                kernel=f"bgmv_expand_{kind}",
                blocks=given.blocks,
                arguments=(
                    *(x, weight, given.adapters, np.uint32(tokens), y, y.copy()),
                    *map(np.uint32, shape),
                ),
                expected={5: wanted},
                tolerance=lora.tolerance(kind),
            )
