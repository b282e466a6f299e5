"""Logits whose bit is 0 become minus infinity."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import BFLOAT16, CORES, UNIFIED_BUFFER, Case, rounded

FILES = ("csrc/apply_token_bitmask/op_kernel/apply_token_bitmask.cpp",)
KERNELS = tuple(f"apply_token_bitmask_{kind}" for kind in ("fp16", "fp32", "bf16"))
TYPES = {"fp16": np.dtype(np.float16), "fp32": np.dtype(np.float32), "bf16": BFLOAT16}
UNIT = 256  # to which the host pads


def _case(rows: int, words: int, kind: str, random: np.random.Generator) -> Case:
    dtype = TYPES[kind]
    padded = -(-words // UNIT) * UNIT
    logits = np.zeros((rows, padded), np.float32)
    logits[:, :words] = random.normal(size=(rows, words))
    kept = random.random((rows, padded)) < 0.7
    kept[:, : padded // 2] |= random.random((rows, 1)) < 0.5  # whole words of ones
    mask = np.packbits(kept, axis=1, bitorder="little").view(np.int32)
    given = rounded(logits, dtype)
    wanted = rounded(np.where(kept, logits, -np.inf), dtype)
    blocks = min(rows, CORES)
    unit = 2 * (2 * UNIT * dtype.itemsize + UNIT // 32 * 4)
    tile = min((UNIFIED_BUFFER - 16384) // unit * UNIT, padded)
    numbers = (rows, padded, padded, padded // 32, rows // blocks, rows % blocks, tile, blocks)
    return Case(
        name=f"{rows}x{words} {kind}",
        kernel=f"apply_token_bitmask_{kind}",
        blocks=blocks,
        arguments=(given, mask, *map(np.uint32, numbers), np.uint32(dtype.itemsize)),
        expected={0: wanted},
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind in TYPES:
        for rows, words in ((1, 256), (3, 1), (5, 1000), (2, 40000), (50, 512)):
            yield _case(rows, words, kind, random)
