"""`x.is_cuda` of tensors."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.devices import is_transferred, not_for_npu
from porter.rules.evidence import defines_attribute, imports_torch, uses


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module) or defines_attribute(module, "is_cuda"):
        return
    if is_transferred(module, facts):
        return
    for node in uses(module, "is_cuda"):
        if module.resolve(node) is None and not not_for_npu(module, node):
            end = module.span(node).end
            yield Match(module.span(node), (Edit(Span(end - len("is_cuda"), end), b"is_npu"),))
