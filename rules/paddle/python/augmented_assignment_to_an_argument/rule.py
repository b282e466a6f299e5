"""`out *= scale` where `out` is a tensor that the function was called with."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module, parameter
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import is_in_device_function, is_made_by

TENSOR = frozenset({"torch.Tensor"})
NO_ARGUMENT = (ast.Tuple, ast.Yield, ast.YieldFrom, ast.NamedExpr)
METHODS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("__iadd__", "add_"),
    ast.Sub: ("__isub__", "sub_"),
    ast.Mult: ("__imul__", "mul_"),
    ast.Div: ("__itruediv__", "div_"),
}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for statement in module.nodes_of(ast.AugAssign):
        name, (operator, method) = statement.target, METHODS.get(type(statement.op), ("", ""))
        if not method or not isinstance(name, ast.Name) or not _is_argument(module, name):
            continue
        sure = all(_is_tensor(module, name, node) for node in _other_bindings(module, name))
        span, given = module.span(statement), isinstance(statement.value, NO_ARGUMENT)
        place = Place(span, {"method": method}) if sure and not given else None
        yield Match(span, name=f"torch.Tensor.{operator}", place=place)


def _is_argument(module: Module, name: ast.Name) -> bool:
    """Whether it is a parameter that is annotated as a tensor, outside of kernels."""
    known = parameter(module.function(name), name.id) is not None
    return known and is_made_by(module, name, TENSOR) and not is_in_device_function(module, name)


def _other_bindings(module: Module, name: ast.Name) -> Iterator[ast.Name]:
    """Where else the function binds the name, but in such statements."""
    scope = module.function(name)
    for node in module.stores[name.id]:
        of_scope = module.function(node) is scope
        if of_scope and not isinstance(module.parents[node], ast.AugAssign):
            yield node


def _is_tensor(module: Module, name: ast.Name, node: ast.Name) -> bool:
    """Whether it is bound to what a function of torch, or a method of the argument, returns."""
    statement = module.parents[node]
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    called = value.func if isinstance(value, ast.Call) else None
    of_itself = isinstance(called, ast.Attribute) and getattr(called.value, "id", "") == name.id
    return called is not None and (of_itself or (module.resolve(called) or "").startswith("torch."))
