"""torch.version.cuda as a condition, or compared with None."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

NAME = "torch.version.cuda"
NONE = '(None, "False")'


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for used in module.names:
        if used.qualified != NAME or not isinstance(used.node.ctx, ast.Load):  # type: ignore[attr-defined]
            continue
        found = _question(module, used.node)
        if found is not None:
            node, text = found
            yield Match(module.span(node), (module.replace(node, text),), name=NAME)


def _question(module: Module, node: ast.expr) -> tuple[ast.expr, str] | None:
    """The expression that asks, and what to write for it."""
    parent = module.parents[node]
    name = module.text(node)
    if isinstance(parent, ast.Compare) and parent.left is node and len(parent.ops) == 1:
        if not isinstance(parent.comparators[0], ast.Constant) or parent.comparators[0].value:
            return None
        if isinstance(parent.ops[0], ast.Is | ast.Eq):
            return parent, f"{name} in {NONE}"
        if isinstance(parent.ops[0], ast.IsNot | ast.NotEq):
            return parent, f"{name} not in {NONE}"
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        return parent, f"{name} in {NONE}"
    if isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node:
        return node, f"{name} not in {NONE}"
    if isinstance(parent, ast.BoolOp) and _is_test(module, parent):
        return node, f"{name} not in {NONE}"
    return None


def _is_test(module: Module, node: ast.expr) -> bool:
    """Whether only the truth of an `and` / `or` matters."""
    parent = module.parents[node]
    if isinstance(parent, ast.BoolOp):
        return _is_test(module, parent)
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    return isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node
