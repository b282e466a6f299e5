"""y = scale * x W of the adapter of each sequence, each with its rank and scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production import lora
from tests.ascend_production.case import Case

FILES = ("csrc/lora/op_kernel/sgemmv_shrink_kernel.cpp",)
KERNELS = tuple(f"sgemmv_shrink_{kind}" for kind in lora.TYPES)


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind, dtype in lora.TYPES.items():
        for tokens, hidden, rank in ((1, 128, 8), (9, 1024, 16), (97, 64, 16), (3, 12032, 64)):
            given = lora.batch(tokens, False, random)
            x = lora.numbers(random, tokens, hidden, dtype=dtype)
            weight = lora.numbers(random, lora.ADAPTERS, rank, hidden, dtype=dtype)
            y = np.full((tokens, rank), 7, np.float32)
            ranks = np.array([0, 8, rank], np.int32)
            scales = np.array([1, 2, 0.5], np.float16)
            count, adapters = np.uint32(len(given.lengths)), np.uint32(lora.ADAPTERS)
            chosen, lengths = (a.astype(np.int32) for a in (given.chosen, given.lengths))
            shape = (tokens, given.of_a_core, hidden, rank)
            yield Case(
                name=f"{tokens} tokens of {count}, {hidden} to {rank}, {kind}",
                kernel=f"sgemmv_shrink_{kind}",
                blocks=given.blocks,
                arguments=(
                    *(x, weight, chosen, count, lengths, count, ranks, adapters, scales, adapters),
                    *(y, *map(np.uint32, shape)),
                ),
                expected={10: lora.shrunk(x, weight, given.adapters, scales, ranks, y)},
                tolerance=2e-5,
            )
