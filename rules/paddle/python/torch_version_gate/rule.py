"""Comparisons of torch's version: true on Paddle for a reason that has nothing to do with torch."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import bindings, function_of

VERSION = "torch.__version__"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    gates = [node for node in module.nodes if _is_gate(module, node)]
    outer = [gate for gate in gates if module.parents.get(gate) not in gates]
    for gate in sorted(outer, key=module.span):
        yield Match(module.span(gate), name=VERSION)


def _is_gate(module: Module, node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        ordered = any(isinstance(operator, ast.In | ast.Is | ast.IsNot) for operator in node.ops)
        return not ordered and any(
            _is_version(module, side) for side in [node.left, *node.comparators]
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "startswith" and _is_version(module, node.func.value)
    return False


def _is_version(module: Module, value: ast.expr) -> bool:
    """Whether torch's version takes part in a value, or in the only one of a variable."""
    if _mentions(module, value):
        return True
    names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
    return any(
        len(made) == 1 and made[0] is not None and _mentions(module, made[0])
        for name in names
        for made in [_values(module, name)]
    )


def _values(module: Module, name: ast.Name) -> list[ast.expr | None]:
    """The values of a variable in its function, or else in the module."""
    own = bindings(module, function_of(module, name), name.id)
    return own or bindings(module, module.tree, name.id)


def _mentions(module: Module, value: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Attribute | ast.Name)
        and (module.qualified(node) or "").startswith((VERSION, "torch.version.__version__"))
        for node in ast.walk(value)
    )
