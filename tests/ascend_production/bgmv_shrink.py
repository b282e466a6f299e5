"""y = scale * x W of the adapter of each token."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production import lora
from tests.ascend_production.case import Case

FILES = ("csrc/lora/op_kernel/bgmv_shrink_kernel.cpp", "csrc/kernels/bgmv_shrink.cpp")
KERNELS = tuple(f"bgmv_shrink_{kind}" for kind in lora.TYPES)


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind, dtype in lora.TYPES.items():
        for tokens, hidden, rank in ((1, 128, 8), (7, 1024, 16), (49, 64, 8), (2, 12032, 64)):
            given = lora.batch(tokens, True, random)
            x = lora.numbers(random, tokens, hidden, dtype=dtype)
            weight = lora.numbers(random, lora.ADAPTERS, rank, hidden, dtype=dtype)
            y = np.full((tokens, rank), 7, np.float32)
            ranks, scales = np.full(lora.ADAPTERS, rank), np.full(lora.ADAPTERS, 0.5)
            shape = (tokens, given.of_a_core, hidden, rank)
            yield Case(
                name=f"{tokens} tokens, {hidden} to {rank}, {kind}",
                kernel=f"bgmv_shrink_{kind}",
                blocks=given.blocks,
                arguments=(
                    *(x, weight, given.adapters, np.uint32(tokens), y),
                    *(*map(np.uint32, shape), np.float32(0.5)),
                ),
                expected={4: lora.shrunk(x, weight, given.adapters, scales, ranks, y)},
                tolerance=2e-5,
            )
