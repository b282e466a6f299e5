"""`@torch.no_grad` above a function."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts

DECORATORS = frozenset({"torch.no_grad", "torch.enable_grad"})  # the unit's inference_mode is one


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for node in (*module.nodes_of(ast.FunctionDef), *module.nodes_of(ast.AsyncFunctionDef)):
        for decorator in node.decorator_list:
            name = module.resolve(decorator)
            if name in DECORATORS:
                span = module.span(decorator)
                yield Match(span, name=name, place=Place(span))
