"""`x.cuda()` of tensors and modules."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.devices import is_transferred, not_for_npu
from porter.rules.evidence import defines_attribute, imports_torch, method_calls


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module) or defines_attribute(module, "cuda"):
        return
    if is_transferred(module, facts):
        return
    for call in method_calls(module, "cuda"):
        assert isinstance(call.func, ast.Attribute)
        of_module = module.resolve(call.func) is not None
        if of_module or not_for_npu(module, call):
            continue
        end = module.span(call.func).end
        yield Match(module.span(call), (Edit(Span(end - len("cuda"), end), b"npu"),), name=None)
