"""RegisterOperators in a file that has it through torch/library.h."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts
from porter.rules.includes import framework_headers, include_at_first_use

HEADER = "ATen/core/op_registration/op_registration.h"
ENOUGH = frozenset(  # what brings it in the unit
    {HEADER, "torch/script.h", "torch/all.h", "torch/extension.h", "torch/torch.h"}
)
NAMES = frozenset({"torch::RegisterOperators", "c10::RegisterOperators"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if headers & ENOUGH or "torch/library.h" not in headers:
        return
    yield from include_at_first_use(unit, NAMES, HEADER)
