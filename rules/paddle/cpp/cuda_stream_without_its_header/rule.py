"""Stream functions in a file that has them through c10/cuda/CUDAGuard.h or its like."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts
from porter.rules.includes import framework_headers, include_at_first_use

HEADER = "c10/cuda/CUDAStream.h"
ENOUGH = frozenset(  # what brings it in Paddle; in torch what CUDA code includes anyway does
    {
        HEADER,
        "ATen/ATen.h",
        "ATen/cuda/CUDAContext.h",
        "ATen/cuda/CUDAContextLight.h",  # this and the next two are the unit's
        "ATen/cuda/CUDAEvent.h",
        "c10/cuda/CUDACachingAllocator.h",
        "c10/core/Event.h",
        "torch/all.h",
        "torch/extension.h",
        "torch/python.h",
        "torch/sparse.h",
        "torch/types.h",
    }
)
ONLY_IN_TORCH = "c10/cuda/CUDAGuard.h"
NAMES = frozenset(
    f"{scope}::{name}"
    for scope in ("c10::cuda", "at::cuda")
    for name in ("CUDAStream", "getCurrentCUDAStream", "getDefaultCUDAStream")
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    own = any(token.text.startswith('"') for _, token in unit.includes)  # may bring it
    if headers & ENOUGH or ONLY_IN_TORCH not in headers or own:
        return
    yield from include_at_first_use(unit, NAMES, HEADER)
