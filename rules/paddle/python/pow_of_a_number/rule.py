"""`torch.pow(2, x)`: a number to the power of a tensor."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import out_of_bounds, stands_alone

CLOSED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.pow"})):
        if call.args and _is_number(call.args[0]) and not out_of_bounds(module, call):
            new = _power(module, call)
            edits = (module.replace(call, new),) if new else ()
            yield Match(module.span(call), edits, name="torch.pow")


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def _power(module: Module, call: ast.Call) -> str | None:
    if len(call.args) != 2 or call.keywords or "#" in module.text(call):
        return None
    base, exponent = call.args
    if isinstance(exponent, ast.Starred):
        return None
    left, right = module.text(base), module.text(exponent)
    left = left if isinstance(base, ast.Constant) else f"({left})"
    right = right if isinstance(exponent, CLOSED) else f"({right})"
    alone = stands_alone(module, call) or isinstance(module.parents[call], ast.Expr)
    return f"{left} ** {right}" if alone else f"({left} ** {right})"
