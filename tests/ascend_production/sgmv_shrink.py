"""y = scale * x W of the adapter of each sequence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production import lora
from tests.ascend_production.case import Case

FILES = ("csrc/lora/op_kernel/sgmv_shrink_kernel.cpp", "csrc/kernels/sgmv_shrink.cpp")
KERNELS = tuple(f"sgmv_shrink_{kind}" for kind in lora.TYPES)


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind, dtype in lora.TYPES.items():
        for tokens, hidden, rank in ((1, 128, 8), (9, 1024, 16), (97, 64, 8), (3, 12032, 64)):
            given = lora.batch(tokens, False, random)
            x = lora.numbers(random, tokens, hidden, dtype=dtype)
            weight = lora.numbers(random, lora.ADAPTERS, rank, hidden, dtype=dtype)
            y = np.full((tokens, rank), 7, np.float32)
            ranks, scales = np.full(lora.ADAPTERS, rank), np.full(lora.ADAPTERS, 0.5)
            count = np.uint32(len(given.lengths))
            shape = (tokens, given.of_a_core, hidden, rank)
            yield Case(
                name=f"{tokens} tokens of {count}, {hidden} to {rank}, {kind}",
                kernel=f"sgmv_shrink_{kind}",
                blocks=given.blocks,
                arguments=(
                    *(x, weight, given.chosen, count, given.lengths, count, y),
                    *(*map(np.uint32, shape), np.float32(0.5)),
                ),
                expected={6: lora.shrunk(x, weight, given.adapters, scales, ranks, y)},
                tolerance=2e-5,
            )
