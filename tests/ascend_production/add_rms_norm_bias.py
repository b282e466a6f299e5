"""x = x1 + x2, y = x / sqrt(mean(x * x) + epsilon) * gamma + beta, and the root's inverse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.ascend_production.case import BFLOAT16, Array, Case, floats, rounded

FILES = ("csrc/moe/add_rms_norm_bias/op_kernel/add_rms_norm_bias.cpp",)
HOST = ("add_rms_norm_bias_def.cpp", "add_rms_norm_bias_tiling.cpp")
FLAGS = (
    *("-ITREE/csrc/common/include", "-ITREE/csrc/utils/inc"),
    *('-DOPS_UTILS_LOG_SUB_MOD_NAME="tiling"', '-DOPS_UTILS_LOG_PACKAGE_TYPE=""'),
)
# Where the kernel has several whole rows in each buffer.
UNORDERED = "rstd is written over, with what is there, while it is copied out"
EPSILON = 1e-6
TYPES = {"half": np.dtype(np.float16), "float": np.dtype(np.float32), "bfloat16": BFLOAT16}
TOLERANCE = {"half": 2e-3, "float": 2e-6, "bfloat16": 1.6e-2}


def _case(rows: int, columns: int, kind: str, bias: bool, random: np.random.Generator) -> Case:
    dtype = TYPES[kind]
    one, two = (rounded(random.normal(size=(rows, columns)), dtype) for _ in "12")
    gamma, beta = (rounded(random.normal(size=columns), dtype) for _ in "gb")
    sums = rounded(floats(one) + floats(two), dtype)
    # Of half, the sum is rounded before it is used; of the others it is not.
    exact = floats(sums) if kind == "half" else floats(one) + floats(two)
    inverse = 1 / np.sqrt((exact * exact).mean(axis=1, keepdims=True) + EPSILON)
    wanted: Array = exact * inverse * floats(gamma) + (floats(beta) if bias else 0)
    y, x = (np.full_like(one, 7) for _ in "yx")
    return Case(
        name=f"{rows}x{columns} {kind}{' with beta' if bias else ''}",
        kernel="AddRmsNormBias",
        arguments=(
            *(one, two, gamma, beta if bias else None, np.float64(EPSILON)),
            *(y, np.full((rows, 1), 7, np.float32), x),
        ),
        expected={5: rounded(wanted, dtype), 6: inverse.astype(np.float32), 7: sums},
        tolerance=TOLERANCE[kind],
        unordered=UNORDERED if kind != "float" and (rows, columns) == (120, 2048) else "",
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for kind in TYPES:
        for rows, columns in ((1, 64), (3, 100), (50, 96), (100, 128), (120, 2048), (2, 20000)):
            for bias in (False, True):
                yield _case(rows, columns, kind, bias, random)
