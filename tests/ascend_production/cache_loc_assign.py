"""Ranges of rows of a token pool from a list of places, and back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import CORES, Case

FILES = ("csrc/cache_location_assign/op_kernel/cache_loc_assign_kernel.cpp",)
KERNELS = ("cache_loc_assign",)
UNORDERED = "the scalar unit reads what MTE2 writes, the flag is for the vector unit"
STEP = 16  # the most tokens of a row


def _aligned(count: int, size: int) -> int:
    return -(-count * size // 32) * 32 // size


def _case(
    rows: int, length: int, dtype: type, back: bool, random: np.random.Generator, defect: str = ""
) -> Case:
    pool = random.integers(0, 1000, (rows + 3, length)).astype(np.int32)
    request = random.permutation(rows + 3)[:rows].astype(dtype)
    counts = random.integers(0, STEP + 1, rows)
    starts = random.integers(0, length - STEP, rows)
    ends = starts + counts
    places = random.integers(1000, 2000, rows * STEP).astype(np.int32)
    wanted_pool, wanted_places = pool.copy(), places.copy()
    at = 0
    for row in range(rows):
        there = slice(at, at + counts[row])
        ours = slice(starts[row], ends[row])
        if back:
            wanted_places[there] = pool[request[row], ours]
        else:
            wanted_pool[request[row], ours] = places[there]
        at += counts[row]
    blocks = 1 if back else CORES
    size = np.dtype(dtype).itemsize
    requests, offsets = _aligned(rows, size), _aligned(rows, 8)
    numbers = [1 if size == 4 else 2, blocks, rows + 3, rows, rows // blocks, rows % blocks, length]
    numbers += [requests, requests * size, STEP, STEP * 4, offsets, offsets * 8]
    numbers += [rows * STEP, rows * STEP, rows * STEP * 4]
    return Case(
        name=f"{rows} rows of {length}, {np.dtype(dtype).name}, {'back' if back else 'there'}",
        kernel="cache_loc_assign",
        blocks=blocks,
        arguments=(
            request,
            pool,
            starts.astype(np.int64),
            ends.astype(np.int64),
            places,
            np.array(numbers, np.uint64),
            np.uint32(back),
        ),
        expected={1: wanted_pool, 4: wanted_places},
        defect=defect,
        unordered="" if defect else UNORDERED,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for back in (False, True):
        for dtype in (np.int32, np.int64):
            for rows, length in ((8, 64), (48, 200), (96, 1000)):
                yield _case(rows, length, dtype, back, random)
        past = "whole blocks are read: behind the indices where they are no multiple of 32 bytes"
        yield _case(5, 64, np.int32, back, random, defect=past)
