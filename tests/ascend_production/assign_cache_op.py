"""A range of each row of a pool becomes a range of a list."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import CORES, UNIFIED_BUFFER, Case

FILES = ("csrc/assign_cache_op/op_kernel/assign_cache_op.cpp",)
KERNELS = ("assign_cache_op",)
UNORDERED = "the scalar unit reads what MTE2 writes, no flag is for both"
SYNC = CORES * 32 + CORES * 32 + 32  # bytes, by the host


def _case(
    rows: int,
    length: int,
    most: int,
    dtype: type,
    random: np.random.Generator,
    *,
    defect: str = "",
    empty: bool = False,
) -> Case:
    pool = random.integers(0, 100, (rows, length)).astype(dtype)
    counts = random.integers(1, most + 1, rows)
    counts[-1] = most
    if empty:
        counts[0] = 0
    room = 32  # a copy of whole blocks ends up to 31 bytes behind a range
    starts = random.integers(0, length - room - most + 1, rows)
    if defect and not empty:
        starts[-1] = length - most
    ends = starts + counts
    from_ends = np.cumsum(counts)
    from_starts = from_ends - counts
    source = random.integers(0, 100, from_ends[-1] + room).astype(dtype)
    wanted = pool.copy()
    for row in range(rows):
        wanted[row, starts[row] : ends[row]] = source[from_starts[row] : from_ends[row]]
    size = np.dtype(dtype).itemsize
    tiling = np.array([rows, length, size, SYNC, UNIFIED_BUFFER], np.uint32)
    places = (np.asarray(p, np.int64) for p in (starts, ends, from_starts, from_ends))
    return Case(
        name=f"{rows} rows of {length}, up to {most}, {np.dtype(dtype).name}",
        kernel="assign_cache_op",
        blocks=CORES,
        arguments=(pool, source, *places, np.zeros(SYNC, np.uint8), tiling),
        expected={0: wanted},
        scratch=(6,),
        defect=defect,
        unordered=UNORDERED,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        yield _case(1, 64, 8, dtype, random)
        yield _case(7, 200, 33, dtype, random)
        yield _case(48, 128, 16, dtype, random)
    yield _case(3, 30000, 20000, np.int32, random)
    past = "whole blocks are copied: up to 31 bytes behind the pool are read and written"
    yield _case(3, 65, 5, np.int32, random, defect=past)
    hangs = "of an empty range nobody is told that it is done: the next row waits"
    yield _case(3, 64, 5, np.int32, random, defect=hangs, empty=True)
