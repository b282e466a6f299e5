"""`torch.pow(2, x)`: a number to the power of a tensor."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import is_in_device_function, stands_alone


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.pow"})):
        if call.args and _is_number(call.args[0]) and not is_in_device_function(module, call):
            span = module.span(call)
            alone = stands_alone(module, call) or isinstance(module.parents[call], ast.Expr)
            known = {"alone": "yes"} if alone else {}
            place = Place(span, known) if _is_plain(module, call) else None
            yield Match(span, name="torch.pow", place=place)


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def _is_plain(module: Module, call: ast.Call) -> bool:
    """Whether an operator can stand for the call, and no comment would be lost."""
    if len(call.args) != 2 or call.keywords or "#" in module.text(call):
        return False
    return not isinstance(call.args[1], ast.Starred)
