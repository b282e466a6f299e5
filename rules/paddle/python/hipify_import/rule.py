"""Imports of torch's translator to HIP that run in every build."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for qualified, alias, statement in module.imports:
        if f"{qualified}.".startswith("torch.utils.hipify.") and not _conditional(
            module, statement
        ):
            yield Match(module.span(alias), name="torch.utils.hipify")


def _conditional(module: Module, node: ast.AST) -> bool:
    while node in module.parents:
        node = module.parents[node]
        if isinstance(node, ast.If | ast.Try | ast.FunctionDef):
            return True
    return False
