"""Stream functions in a file that has them through c10/cuda/CUDAGuard.h or its like."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span
from porter.rules.includes import add_include, framework_headers

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
NAMES = frozenset({"CUDAStream", "getCurrentCUDAStream", "getDefaultCUDAStream"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if headers & ENOUGH or not headers & ONLY_IN_TORCH:
        return
    for name, first, last in unit.qualified():
        scope, _, base = name.rpartition("::")
        if base in NAMES and scope in ("c10::cuda", "at::cuda"):
            span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
            yield Match(span, add_include(unit, HEADER), name=name)
            return
