"""Writes of os.environ["TORCH_CUDA_ARCH_LIST"]."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

VARIABLE = "TORCH_CUDA_ARCH_LIST"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if b"PADDLE_CUDA_ARCH_LIST" in module.data:
        return
    for node in module.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            listed = _is_environ(module, node.value) and _names_it(node.slice)
            if listed and not _is_emptied(module.parents[node]):
                yield Match(module.span(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            setter = node.func.attr == "setdefault" and _is_environ(module, node.func.value)
            if setter and node.args and _names_it(node.args[0]):
                yield Match(module.span(node))


def _is_environ(module: Module, node: ast.expr) -> bool:
    return module.resolve(node) == "os.environ"


def _is_emptied(statement: ast.AST) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Constant) and not value.value


def _names_it(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == VARIABLE
