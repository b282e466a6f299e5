"""Slots of a cache by pages, for the tokens by which sequences grow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import CORES, Case

FILES = ("csrc/alloc_extend/op_kernel/alloc_extend_kernel.cpp",)
KERNELS = ("alloc_extend",)


def _case(batch: int, page: int, most: int, random: np.random.Generator, defect: str = "") -> Case:
    before = random.integers(0, 3 * page, batch).astype(np.int64)
    after = before + random.integers(1, most + 1, batch)
    if after[-1] % page == 0:
        after[-1] += 1
    pages = -(-after // page) - -(-before // page)
    free = (random.permutation(10 * int(pages.sum()) + 10) + 50)[: int(pages.sum()) + 4]
    last = random.integers(0, 40, batch) * page + (before - 1) % page
    out: list[int] = []
    used = 0
    for b in range(batch):
        whole = -(-int(before[b]) // page)
        for token in range(int(before[b]), int(after[b])):
            if token // page < whole:  # its page was there
                out.append(int(last[b]) + 1 + token - int(before[b]))
            else:
                out.append(int(free[used + token // page - whole]) * page + token % page)
        used += int(pages[b])
    blocks = min(CORES, batch)
    tiling = np.zeros(1, np.dtype([("n", "i4", 3), ("total", "i8")], align=True))
    tiling[0] = ((batch, page, blocks), len(out))
    return Case(
        name=f"{batch} sequences, pages of {page}, up to {most} tokens",
        kernel="alloc_extend",
        blocks=blocks,
        arguments=(
            *(before, after, last.astype(np.int64), free.astype(np.int64)),
            np.full(len(out), -1, np.int64),
            np.zeros(1, np.int64),
            np.zeros(32, np.uint8),
            tiling,
        ),
        expected={4: np.array(out, np.int64), 5: np.array([used], np.int64)},
        scratch=(6,),
        defect=defect,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    past = "offsets of bytes into a buffer are used for those of elements: it ends before"
    yield _case(1, 4, 20, random, defect=past)
    yield _case(8, 16, 100, random, defect=past)
