"""Inverses of unit lower triangular matrices, one for each block."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import Array, Case

FILES = ("csrc/tri_inv/op_kernel/tri_inv_kernel.cpp",)
KERNELS = ("tri_inv_col_sweep_fp16", "tri_inv_col_sweep_fp32")


def _case(count: int, size: int, dtype: type, random: np.random.Generator) -> Case:
    matrices: Array = np.tril(random.normal(size=(count, size, size)) / size, -1) + np.eye(size)
    matrices = matrices.astype(dtype)
    inverse = np.linalg.inv(matrices.astype(np.float64)).astype(dtype)
    tiling = np.array([count, count * size * size, size, 0, 0, 0, 0, 0], np.uint32)
    return Case(
        name=f"{count} of {size}x{size}, {np.dtype(dtype).name}",
        kernel=KERNELS[dtype is np.float32],
        blocks=count,
        arguments=(matrices, np.full_like(matrices, np.nan), tiling),
        expected={1: inverse},
        tolerance=2e-3 if dtype is np.float16 else 1e-6,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for dtype in (np.float16, np.float32):
        for count, size in ((1, 16), (3, 32), (8, 64), (2, 128 if dtype is np.float32 else 144)):
            yield _case(count, size, dtype, random)
