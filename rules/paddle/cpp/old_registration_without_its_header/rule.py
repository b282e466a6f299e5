"""RegisterOperators in a file that has it through torch/library.h."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span
from porter.rules.includes import add_include, framework_headers

HEADER = "ATen/core/op_registration/op_registration.h"
ENOUGH = frozenset(  # what brings it in the unit
    {HEADER, "torch/script.h", "torch/all.h", "torch/extension.h", "torch/torch.h"}
)
NAMES = frozenset({"torch::RegisterOperators", "c10::RegisterOperators"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if headers & ENOUGH or "torch/library.h" not in headers:
        return
    for name, first, last in unit.qualified():
        if name in NAMES:
            span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
            yield Match(span, add_include(unit, HEADER), name=name)
            return
