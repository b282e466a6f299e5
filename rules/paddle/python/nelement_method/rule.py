"""`x.nelement()`, torch's other name for `numel`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.evidence import defines_attribute, imports_torch, method_calls


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    handles_tensors = imports_torch(module) or b".element_size()" in module.data
    if not handles_tensors or defines_attribute(module, "nelement"):
        return
    for call in method_calls(module, "nelement"):
        assert isinstance(call.func, ast.Attribute)
        if not call.args and not call.keywords:
            end = module.span(call.func).end
            edit = Edit(Span(end - len(b"nelement"), end), b"numel")
            yield Match(module.span(call), (edit,), name="torch.Tensor.nelement")
