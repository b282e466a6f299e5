"""`out[a:b] = v` where out was made with a float8 dtype."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import is_in_device_function

MAKERS = frozenset(f"torch.{name}" for name in ("empty", "zeros", "ones", "full", "empty_like"))
FLOAT8 = frozenset({"torch.float8_e4m3fn", "torch.float8_e5m2"})
BYTES = b".view(torch.uint8)"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for statement in module.nodes_of(ast.Assign):
        target = statement.targets[0]
        if not isinstance(target, ast.Subscript) or is_in_device_function(module, statement):
            continue
        if _is_float8(module, target.value):
            edits = ()
            if _casts(module, statement.value) and module.origin("torch", statement) == "torch":
                edits = (
                    Edit(module.end_of(target.value), BYTES),
                    Edit(module.end_of(statement.value), BYTES),
                )
            yield Match(module.span(statement), edits, name="torch.Tensor.__setitem__")


def _is_float8(module: Module, value: ast.expr) -> bool:
    if not isinstance(value, ast.Name):
        return False
    made = module.bindings(module.function(value), value.id)
    return len(made) == 1 and isinstance(made[0], ast.Call) and _makes(module, made[0])


def _makes(module: Module, call: ast.Call) -> bool:
    dtype = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    named = dtype is not None and module.resolve(dtype) in FLOAT8
    return named and module.resolve(call.func) in MAKERS


def _casts(module: Module, value: ast.expr) -> bool:
    """`x.to(torch.float8_e4m3fn)`: surely of that dtype itself."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    given = [module.resolve(argument) for argument in value.args]
    return value.func.attr == "to" and given[:1] != [] and given[0] in FLOAT8
