"""Assignments to attributes of the torch module and of classes and modules in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

HARMLESS = ("torch.backends.", "torch._dynamo.config.", "torch._inductor.config.", "torch.ops.")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name in module.names:
        node = name.node
        if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        if not name.qualified.startswith("torch.") or name.qualified.startswith(HARMLESS):
            continue
        if not _only_where_it_lacks(module, node):
            yield Match(module.span(node), name=name.qualified)


def _only_where_it_lacks(module: Module, node: ast.Attribute) -> bool:
    """Whether it stands below `if not hasattr(owner, "name")` or `if "name" not in dir(owner)`."""
    inner: ast.AST = node
    while outer := module.parents.get(inner):
        if isinstance(outer, ast.If) and inner in outer.body and _lacks(outer.test, node.attr):
            return True
        inner = outer
    return False


def _lacks(test: ast.expr, name: str) -> bool:
    match test:
        case ast.BoolOp(ast.And(), values):
            return any(_lacks(value, name) for value in values)
        case ast.UnaryOp(ast.Not(), ast.Call(ast.Name("hasattr"), [_, ast.Constant(asked)])):
            return asked == name
        case ast.Compare(ast.Constant(asked), [ast.NotIn()], [ast.Call(ast.Name("dir"))]):
            return asked == name
    return False
