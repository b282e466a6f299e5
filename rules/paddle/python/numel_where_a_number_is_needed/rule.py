"""`x.numel()` passed to a kernel launch, a grid or a foreign function."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import bindings, function_of, method_calls, parameter

TAKE_TENSORS = frozenset(
    {"int", "float", "bool", "str", "repr", "range", "len", "print", "format", "isinstance"}
    | {"abs", "sum", "min", "max", "round", "list", "tuple", "append", "format", "Size"}
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    seen: set[ast.expr] = set()
    for method in ("numel", "nelement"):
        for call in method_calls(module, method):
            assert isinstance(call.func, ast.Attribute)
            if call.args or call.keywords or _of_a_shape(call.func.value):
                continue
            whole, product = _arithmetic(module, call), _arithmetic(module, call, (ast.Mult,))
            if product not in seen and _needs_a_number(module, whole, _is_bytes(product)):
                seen.add(product)
                edits = _as_int(module, product)
                yield Match(module.span(product), edits, name="torch.Tensor.numel")


def _of_a_shape(receiver: ast.expr) -> bool:
    """`x.shape.numel()` and `x.size().numel()` are ints already."""
    receiver = receiver.func if isinstance(receiver, ast.Call) else receiver
    return isinstance(receiver, ast.Attribute) and receiver.attr in ("shape", "size", "Size")


def _arithmetic(
    module: Module, node: ast.expr, operators: tuple[type[ast.operator], ...] = (ast.operator,)
) -> ast.expr:
    """The largest expression of these operators that a node is part of.

    A product of Paddle's 0-D tensors is one; a quotient has a dimension, and int() refuses it.
    """
    parent = module.parents[node]
    while isinstance(parent, ast.BinOp) and isinstance(parent.op, operators):
        node, parent = parent, module.parents[parent]
    return node


def _is_bytes(whole: ast.expr) -> bool:
    """Whether an element size takes part: `x.numel() * x.element_size()`."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in ("element_size", "itemsize")
        for node in ast.walk(whole)
    )


def _needs_a_number(module: Module, value: ast.expr, is_bytes: bool) -> bool:
    parent = module.parents[value]
    if isinstance(parent, ast.keyword):
        parent = module.parents[parent]
    if isinstance(parent, ast.Call):
        return value is not parent.func and _call_needs_a_number(module, parent, is_bytes)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target = parent.targets[0]
        return isinstance(target, ast.Name) and _use_needs_a_number(module, target, is_bytes)
    return False


def _call_needs_a_number(module: Module, call: ast.Call, is_bytes: bool) -> bool:
    callee = call.func
    if isinstance(callee, ast.Subscript):  # kernel[grid](...)
        return not isinstance(callee.value, ast.Subscript) and _is_a_kernel(module, callee)
    name = module.qualified(callee)
    if name is not None and name.startswith(("torch.ops.", "triton.cdiv")):
        return True
    return is_bytes and _is_foreign(module, callee, name)


def _is_a_kernel(module: Module, callee: ast.Subscript) -> bool:
    """`kernel[grid]`: not an entry of a table of functions, `table["key"]`."""
    chosen = callee.slice
    return not (isinstance(chosen, ast.Constant) and isinstance(chosen.value, str))


def _is_foreign(module: Module, callee: ast.expr, name: str | None) -> bool:
    if name is not None:
        return name.partition(".")[0] not in ("torch", "math", "numpy", "typing")
    last = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
    return last not in TAKE_TENSORS


def _use_needs_a_number(module: Module, target: ast.Name, is_bytes: bool) -> bool:
    """Whether a variable with this one value is used so, in its function or one inside."""
    scope = function_of(module, target)
    if len(bindings(module, scope, target.id)) != 1 or parameter(scope, target.id):
        return False
    return any(
        isinstance(use, ast.Name)
        and use.id == target.id
        and isinstance(use.ctx, ast.Load)
        and _is_argument_in_need(module, use, is_bytes)
        for use in ast.walk(scope)
    )


def _is_argument_in_need(module: Module, use: ast.Name, is_bytes: bool) -> bool:
    parent = module.parents[use]
    if isinstance(parent, ast.keyword):
        parent = module.parents[parent]
    called = isinstance(parent, ast.Call) and use is not parent.func
    return called and _call_needs_a_number(module, parent, is_bytes)  # type: ignore[arg-type]


def _as_int(module: Module, whole: ast.expr) -> tuple[Edit, ...]:
    return (Edit(module.before(whole), b"int("), Edit(module.after(whole), b")"))
