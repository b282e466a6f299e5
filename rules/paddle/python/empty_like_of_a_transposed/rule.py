"""`torch.empty_like(x.t())`: the strides are lost on Paddle."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import is_in_device_function

METHODS = frozenset({"t", "transpose", "permute", "swapaxes", "movedim"})
ATTRIBUTES = frozenset({"T", "mT", "mH", "H"})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.empty_like"})):
        formatted = any(k.arg in ("memory_format", None) for k in call.keywords)
        if len(call.args) != 1 or formatted or is_in_device_function(module, call):
            continue
        source = call.args[0]
        if _is_transposed(module, source):
            if _is_strided(module, call):
                continue
            span = module.span(call)
            yield Match(span, name="torch.empty_like", place=Place(span))


def _is_strided(module: Module, call: ast.Call) -> bool:
    parent = module.parents[call]
    return isinstance(parent, ast.Attribute) and parent.attr == "as_strided"


def _is_transposed(module: Module, value: ast.expr) -> bool:
    if isinstance(value, ast.Name):
        made = module.bindings(module.function(value), value.id)
        return len(made) == 1 and made[0] is not None and _is_view(made[0])
    return _is_view(value)


def _is_view(value: ast.expr) -> bool:
    """`x.t()`, `x.T`: a view of a plain variable with its dimensions in another order."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in METHODS and isinstance(value.func.value, ast.Name)
    return (
        isinstance(value, ast.Attribute)
        and value.attr in ATTRIBUTES
        and isinstance(value.value, ast.Name)
    )
