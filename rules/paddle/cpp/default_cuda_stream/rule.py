"""`at::cuda::getDefaultCUDAStream()`, in Paddle a macro that means something else."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for index in unit.find("getDefaultCUDAStream", "("):
        yield Match(unit.tokens[index].span, name="c10::cuda::getDefaultCUDAStream")
