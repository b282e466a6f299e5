"""`x.is_npu()`, which only tensors in Python have."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    own = any(f.name == "is_npu" for f in (*unit.code.functions, *unit.code.declared))
    for index in unit.find("is_npu", "(", ")"):
        member = index > 0 and unit.tokens[index - 1].text in (".", "->")
        if member and not own:
            span = unit.tokens[index].span
            yield Match(span, (Edit(span, b"is_privateuseone"),), name="at::Tensor::is_npu")
