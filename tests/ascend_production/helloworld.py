"""z = x + y of half, over eight blocks of sixteen tiles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import Case

FILES = ("csrc/helloworld/op_kernel/kernel_helloworld.cpp",)
KERNELS = ("helloworld",)
BLOCKS, TILES = 8, 16


def _case(length: int, random: np.random.Generator, defect: str = "") -> Case:
    x, y = (random.normal(size=length).astype(np.float16) for _ in "xy")
    z = np.full(length, np.nan, np.float16)
    return Case(
        name=f"{length} elements",
        kernel="helloworld",
        blocks=BLOCKS,
        arguments=(x, y, z, np.uint32(length)),
        expected={2: (x.astype(np.float32) + y.astype(np.float32)).astype(np.float16)},
        defect=defect,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for tile in (16, 128, 1024):
        yield _case(BLOCKS * TILES * tile, random)
    no_tail = "elements after the last whole tile of a block are left out"
    yield _case(BLOCKS * TILES * 16 + 8 * BLOCKS, random, defect=no_tail)
