"""Whether the source shows that a tensor has a floating-point dtype."""

from __future__ import annotations

import ast

from porter.languages.python import Module
from porter.uses.assumed import holds_throughout
from porter.uses.tensors import OF_SAME_DTYPE, values_of

MADE = frozenset(("empty", "eye", "linspace", "logspace", "ones", "rand", "randn", "zeros"))
FRACTIONS = frozenset(  # functions and methods whose results are floating-point, whatever they take
    (
        *("cos", "erf", "exp", "log", "log10", "log1p", "log2", "log_softmax", "logsigmoid"),
        *("logsumexp", "mean", "norm", "rsqrt", "sigmoid", "sin", "softmax", "sqrt", "std"),
        *("tan", "tanh", "var", "gelu", "silu", "softplus"),
    )
)
CONVERSIONS = frozenset(("bfloat16", "double", "float", "half"))
DTYPES = ("torch.bfloat16", "torch.double", "torch.float", "torch.half")
DEEPEST = 8  # calls of one another's results


def is_floating(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression, if it is a tensor, has numbers with a fraction."""
    match node:
        case ast.Subscript(value=value):
            return is_floating(module, value, depth)
        case ast.BinOp(left=left, op=op, right=right):
            sides = (_is_fraction(s) or is_floating(module, s, depth) for s in (left, right))
            return isinstance(op, ast.Div) or any(sides)
        case ast.Name():
            values = values_of(module, node)
            return bool(values) and holds_throughout(
                module, (is_floating, *values), lambda: all(is_floating(module, v) for v in values)
            )
        case ast.Call(func=function) if depth < DEEPEST:
            return _is_made(module, node, function, depth)
    return False


def _is_fraction(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _is_made(module: Module, call: ast.Call, function: ast.expr, depth: int) -> bool:
    called = module.resolve(function)
    last = called.rpartition(".")[2] if called else getattr(function, "attr", "")
    named = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    if called is not None and not called.startswith("torch."):
        return False
    if named is not None:
        return (module.resolve(named) or "").startswith(DTYPES)
    if called is None:
        given = call.args[0] if last in ("to", "type") and call.args else None
        if last in CONVERSIONS or (given and (module.resolve(given) or "").startswith(DTYPES)):
            return True
    elif last in MADE:
        return True
    of = call.args[0] if called and call.args else getattr(function, "value", None)
    if last in FRACTIONS:
        return True
    return of is not None and last in OF_SAME_DTYPE and is_floating(module, of, depth + 1)
