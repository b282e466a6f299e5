"""`x.numel()` passed to a kernel launch, a grid or a foreign function."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import method_calls

TAKE_TENSORS = frozenset(
    {"int", "float", "bool", "str", "repr", "range", "len", "print", "format", "isinstance"}
    | {"abs", "sum", "min", "max", "round", "list", "tuple", "append", "format", "Size"}
)
SIZES = frozenset(
    {"view", "reshape", "expand", "repeat", "unflatten", "narrow", "unfold"}
    | {"new_empty", "new_zeros", "new_ones", "new_full"}
)
OF_SIZES = frozenset(
    f"torch.{name}" for name in ("empty", "zeros", "ones", "full", "rand", "randn")
)


QUOTIENT = (
    "Paddle's numel() is a 0-D Tensor, and its quotient one with a dimension, which range(), sizes "
    "and kernels take for no number; int(...) is the same number in both"
)


class Kind(NamedTuple):
    """What an expression with numel() is, beside a number of elements."""

    is_bytes: bool
    is_quotient: bool  # has one dimension on Paddle


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    seen: set[ast.expr] = set()
    for method in ("numel", "nelement"):
        for call in method_calls(module, method):
            assert isinstance(call.func, ast.Attribute)
            if call.args or call.keywords or _is_of_shape(call.func.value):
                continue
            whole, product = _arithmetic(module, call), _arithmetic(module, call, (ast.Mult,))
            kind = Kind(_is_bytes(product), whole is not product and _is_quotient(whole))
            if product not in seen and _needs_a_number(module, whole, kind):
                seen.add(product)
                edits = _as_int(module, product)
                said = QUOTIENT if kind.is_quotient else None
                yield Match(module.span(product), edits, said, name="torch.Tensor.numel")


def _is_of_shape(receiver: ast.expr) -> bool:
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


def _is_quotient(whole: ast.expr) -> bool:
    quotients = (ast.FloorDiv, ast.Mod)
    return any(isinstance(n, ast.BinOp) and isinstance(n.op, quotients) for n in ast.walk(whole))


def _needs_a_number(module: Module, value: ast.expr, kind: Kind) -> bool:
    parent = _user(module, value)
    if isinstance(parent, ast.Call):
        return value is not parent.func and _call_needs_a_number(module, parent, kind)
    target = _target(module, value)
    return isinstance(target, ast.Name) and _use_needs_a_number(module, target, kind)


def _target(module: Module, value: ast.expr) -> ast.expr | None:
    """What a value is assigned to: `n = value`, or `n, m = value, other`."""
    parent = module.parents[value]
    if isinstance(parent, ast.Tuple):
        whole = _target(module, parent)
        if isinstance(whole, ast.Tuple) and len(whole.elts) == len(parent.elts):
            starred = any(isinstance(each, ast.Starred) for each in (*whole.elts, *parent.elts))
            return None if starred else whole.elts[parent.elts.index(value)]
        return None
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        return parent.targets[0]
    return None


def _user(module: Module, value: ast.AST) -> ast.AST:
    """What takes a value: the call, where it is an argument or stands in a tuple of sizes."""
    parent = module.parents[value]
    if isinstance(parent, ast.keyword):
        return module.parents[parent]
    if isinstance(parent, ast.Tuple | ast.List):
        outer = _user(module, parent)
        return outer if isinstance(outer, ast.Call) and _takes_sizes(module, outer) else parent
    return parent


def _takes_sizes(module: Module, call: ast.Call) -> bool:
    callee = call.func
    if isinstance(callee, ast.Attribute) and callee.attr in SIZES:
        return True
    name = module.resolve(callee)
    is_range = isinstance(callee, ast.Name) and callee.id == "range"
    return is_range or (name is not None and (name in OF_SIZES or name.startswith("math.")))


def _call_needs_a_number(module: Module, call: ast.Call, kind: Kind) -> bool:
    callee = call.func
    if kind.is_quotient and _takes_sizes(module, call):
        return True
    if isinstance(callee, ast.Subscript):  # kernel[grid](...)
        return not isinstance(callee.value, ast.Subscript) and _is_a_kernel(module, callee)
    name = module.resolve(callee)
    if name is not None and name.startswith(("torch.ops.", "triton.cdiv")):
        return True
    return kind.is_bytes and _is_foreign(module, callee, name)


def _is_a_kernel(module: Module, callee: ast.Subscript) -> bool:
    """`kernel[grid]`: not an entry of a table of functions, `table["key"]`."""
    chosen = callee.slice
    return not (isinstance(chosen, ast.Constant) and isinstance(chosen.value, str))


def _is_foreign(module: Module, callee: ast.expr, name: str | None) -> bool:
    if name is not None:
        return name.partition(".")[0] not in ("torch", "math", "numpy", "typing")
    last = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
    return last not in TAKE_TENSORS


def _use_needs_a_number(module: Module, target: ast.Name, kind: Kind) -> bool:
    """Whether a variable is used so, in its function or one inside. What else it may be does not
    matter: this value is a number in torch."""
    scope = module.function(target)
    return any(
        isinstance(use.ctx, ast.Load)
        and _is_argument_in_need(module, use, kind)
        and scope in module.ancestors(use)
        for use in module.names_by_id[target.id]
    )


def _is_argument_in_need(module: Module, use: ast.Name, kind: Kind) -> bool:
    parent = _user(module, use)
    called = isinstance(parent, ast.Call) and use is not parent.func
    return called and _call_needs_a_number(module, parent, kind)  # type: ignore[arg-type]


def _as_int(module: Module, whole: ast.expr) -> tuple[Edit, ...]:
    return (Edit(module.start_of(whole), b"int("), Edit(module.end_of(whole), b")"))
