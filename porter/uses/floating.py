"""Whether the source shows that a tensor has a floating-point dtype."""

from __future__ import annotations

import ast

from porter.languages.python import Module
from porter.uses.assumed import holds_throughout
from porter.uses.tensors import INDICES, OF_ONE_DTYPE, OF_SAME_DTYPE, wholes_of

MADE = frozenset(("empty", "eye", "linspace", "logspace", "ones", "rand", "randn", "zeros"))
FRACTIONS = frozenset(  # functions and methods whose results are floating-point, whatever they take
    (
        *("cos", "erf", "exp", "log", "log10", "log1p", "log2", "log_softmax", "logsigmoid"),
        *("logsumexp", "mean", "norm", "rsqrt", "sigmoid", "sin", "softmax", "sqrt", "std"),
        *("tan", "tanh", "var", "gelu", "silu", "softplus", "binary_cross_entropy_with_logits"),
        *("conv1d", "conv2d", "conv3d", "cross_entropy", "layer_norm", "linear", "mse_loss"),
        *("rand_like", "randn_like", "normalize", "erfinv", "reciprocal", "true_divide"),
    )
)
BOOLEAN, INT64 = "boolean", "int64"
TRUTHS = frozenset(
    (
        *("all", "any", "bool", "eq", "ge", "gt", "isclose", "isfinite", "isin", "isinf", "isnan"),
        *("le", "logical_and", "logical_not", "logical_or", "logical_xor", "lt", "ne"),
    )
)
PLACES = INDICES | {"LongTensor", "long", "one_hot", "randint", "randperm"}
SUMS = frozenset(
    ("cumprod", "cumsum", "mean", "prod", "std", "sum", "var")
)  # of truths, they are none
CONVERSIONS = frozenset(("bfloat16", "double", "float", "half"))
DTYPES = ("torch.bfloat16", "torch.double", "torch.float", "torch.half")
DEEPEST = 8  # calls of one another's results


def describe_dtype(module: Module, node: ast.expr) -> str:
    """`floating`, `boolean` or `int64`, where the source shows which a tensor is of."""
    if is_floating(module, node):
        return "floating"
    for word, functions, operators in ((BOOLEAN, TRUTHS, True), (INT64, PLACES, False)):
        if _is_given(module, node, functions, operators):
            return word
    return ""


def _is_given(
    module: Module, node: ast.expr, functions: frozenset[str], operators: bool, depth: int = 0
) -> bool:
    """Whether an expression is what one of these functions or methods gives, or of its dtype."""
    match node:
        case ast.Subscript(value=value) | ast.Attribute(attr="T" | "mT" | "data", value=value):
            return _is_given(module, value, functions, operators, depth)
        case ast.Compare():
            return operators
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_given(module, operand, functions, operators, depth)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            sides = (left, right)
            return all(_is_given(module, each, functions, operators, depth) for each in sides)
        case ast.Name():
            values = wholes_of(module, node) if depth < DEEPEST else []
            found = (_is_given(module, v, functions, operators, depth + 3) for v in values)
            return bool(values) and all(found)
        case ast.Call(func=function) if depth < DEEPEST:
            called = module.resolve(function)
            last = called.rpartition(".")[2] if called else getattr(function, "attr", "")
            if called is not None and not called.startswith("torch."):
                return False
            if last in functions:
                return all(keyword.arg != "dtype" for keyword in node.keywords)
            of = node.args[0] if called and node.args else getattr(function, "value", None)
            if of is None or last not in OF_SAME_DTYPE - SUMS:
                return False
            return _is_given(module, of, functions, operators, depth + 1)
    return False


def is_floating(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression, if it is a tensor, has numbers with a fraction."""
    match node:
        case ast.Subscript(value=value) | ast.Attribute(attr="T" | "mT" | "data", value=value):
            return is_floating(module, value, depth)
        case ast.BinOp(left=left, op=op, right=right):
            sides = (_is_fraction(s) or is_floating(module, s, depth) for s in (left, right))
            return isinstance(op, ast.Div) or any(sides)
        case ast.Name():
            values = wholes_of(module, node)
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
    if last in OF_ONE_DTYPE and called and isinstance(of, ast.List | ast.Tuple):
        return any(is_floating(module, each, depth + 1) for each in of.elts)
    return of is not None and last in OF_SAME_DTYPE and is_floating(module, of, depth + 1)
