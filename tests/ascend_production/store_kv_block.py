"""Groups of tokens into a cache: where from, where to and how many; none where one is negative."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.add_rms_norm_bias import FLAGS as FLAGS
from tests.ascend_production.case import BFLOAT16, Array, Case

FILES = ("csrc/attention/store_kv_block/op_kernel/store_kv_block.cpp",)
HOST = ("store_kv_block_def.cpp", "store_kv_block_tiling.cpp")
TYPES = {"int8": np.dtype(np.int8), "half": np.dtype(np.float16), "bfloat16": BFLOAT16}


def _case(
    groups: int, block: int, heads: int, size: int, kind: str, random: np.random.Generator
) -> Case:
    dtype = TYPES[kind]
    tokens, blocks = groups * block, groups + 2
    keys: Array = random.integers(0, 100, (tokens, heads, size)).astype(dtype)
    cache: Array = random.integers(0, 100, (blocks, block, heads, size)).astype(dtype)
    lengths = random.integers(1, block + 1, groups).astype(np.int32)
    from_ = (random.permutation(groups) * block).astype(np.int32)
    to = (random.permutation(blocks)[:groups] * block).astype(np.int32)
    if groups > 3:
        lengths[0], from_[1], to[2] = 0, -1, -1
    wanted = cache.reshape(-1, heads, size).copy()
    for length, first, place in zip(lengths, from_, to, strict=True):
        if length > 0 and first >= 0 and place >= 0:
            wanted[place : place + length] = keys[first : first + length]
    return Case(
        name=f"{groups} groups of up to {block}, {heads}x{size}, {kind}",
        kernel="StoreKVBlock",
        arguments=(keys, cache, lengths, from_, to, np.int64(block)),
        expected={1: wanted.reshape(cache.shape)},
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind in TYPES:
        for groups, block, heads, size in ((1, 1, 1, 16), (5, 16, 2, 64), (100, 4, 3, 5)):
            yield _case(groups, block, heads, size, kind, random)
