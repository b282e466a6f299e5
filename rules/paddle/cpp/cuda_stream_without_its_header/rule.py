"""Stream functions in a file that has them through c10/cuda/CUDAGuard.h or its like."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts
from porter.rules.includes import at_first_use, framework_headers

HEADER = "c10/cuda/CUDAStream.h"
ENOUGH = frozenset(  # what brings it in Paddle; in torch what CUDA code includes anyway does
    {
        HEADER,
        "ATen/ATen.h",
        "ATen/cuda/CUDAContext.h",
        "c10/core/Event.h",
        "torch/all.h",
        "torch/extension.h",
        "torch/python.h",
        "torch/sparse.h",
        "torch/types.h",
    }
)
ONLY_IN_TORCH = frozenset(
    {"c10/cuda/CUDAGuard.h", "ATen/cuda/CUDAEvent.h", "c10/cuda/CUDACachingAllocator.h"}
)
NAMES = frozenset(
    f"{scope}::{name}"
    for scope in ("c10::cuda", "at::cuda")
    for name in ("CUDAStream", "getCurrentCUDAStream", "getDefaultCUDAStream")
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if headers & ENOUGH or not headers & ONLY_IN_TORCH:
        return
    yield from at_first_use(unit, NAMES, HEADER)
