"""A slice of y += x W of the adapter of each sequence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production import lora
from tests.ascend_production.bgmv_expand import SHAPES
from tests.ascend_production.case import Case

FILES = ("csrc/lora/op_kernel/sgmv_expand_kernel.cpp", "csrc/kernels/sgmv_expand.cpp")
KERNELS = tuple(f"sgmv_expand_{kind}" for kind in lora.TYPES)


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind, dtype in lora.TYPES.items():
        for tokens, hidden, rank, first, full in SHAPES:
            given = lora.batch(tokens, False, random)
            x = lora.numbers(random, tokens, rank, dtype=np.dtype(np.float32))
            weight = lora.numbers(random, lora.ADAPTERS, hidden, rank, dtype=dtype)
            y = lora.numbers(random, tokens, full, dtype=dtype)
            wanted = lora.expanded(x, weight, given.adapters, y, first)
            count = np.uint32(len(given.lengths))
            shape = (tokens, given.of_a_core, rank, hidden, first, full)
            yield Case(
                name=f"{tokens} tokens of {count}, {rank} to {hidden} of {full}, {kind}",
                kernel=f"sgmv_expand_{kind}",
                blocks=given.blocks,
                arguments=(
                    *(x, weight, given.chosen, count, given.lengths, count, y, y.copy()),
                    *map(np.uint32, shape),
                ),
                expected={7: wanted},
                tolerance=lora.tolerance(kind),
            )
