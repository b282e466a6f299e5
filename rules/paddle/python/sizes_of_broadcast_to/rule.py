"""`x.broadcast_to(a, b, c)`: the sizes one by one."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import defines_attribute, imports_torch, method_calls


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module) or defines_attribute(module, "broadcast_to"):
        return
    for call in method_calls(module, "broadcast_to"):
        of_a_module = module.resolve(call.func) is not None
        starred = any(isinstance(size, ast.Starred) for size in call.args)
        if of_a_module or call.keywords or not (starred or len(call.args) > 2):
            continue
        span = module.span(call)
        yield Match(span, name="torch.Tensor.broadcast_to", place=Place(span))
