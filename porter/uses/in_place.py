"""Operators of tensors: in place, `x += y`, where these have other names, or others see their
memory, and bitwise ones with a number."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from porter.languages.kernels import is_in_kernel
from porter.languages.python import Module, parameter
from porter.surface.classes import TENSOR, class_of, makes

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "__iadd__",
    ast.Sub: "__isub__",
    ast.Mult: "__imul__",
    ast.Div: "__itruediv__",
    ast.FloorDiv: "__ifloordiv__",
    ast.Mod: "__imod__",
    ast.Pow: "__ipow__",
    ast.BitAnd: "__iand__",
    ast.BitOr: "__ior__",
    ast.BitXor: "__ixor__",
    ast.LShift: "__ilshift__",
    ast.RShift: "__irshift__",
}
BITWISE: dict[type[ast.operator], str] = {
    ast.BitAnd: "bitwise_and",
    ast.BitOr: "bitwise_or",
    ast.BitXor: "bitwise_xor",
}
# Methods that give the same memory, or may: those of tensors alone, and those of arrays too.
OF_TENSORS = frozenset(
    (
        *("contiguous", "cpu", "cuda", "detach", "double", "expand", "expand_as", "float", "half"),
        *("narrow", "permute", "t", "unbind", "unsqueeze", "view", "view_as"),
    )
)
OF_ARRAYS = ("diagonal", "flatten", "movedim", "reshape", "squeeze", "swapaxes", "to", "transpose")
VIEWS = OF_TENSORS.union(OF_ARRAYS)
PARTS = frozenset({"data", "T", "mT", "H", "real", "imag", "grad"})
ARRAYS = ("numpy.", "cupy.", "jax.")


def find_in_place(module: Module) -> Iterator[tuple[str, ast.AugAssign]]:
    """(name of the operator, statement) where the target is a tensor, by what the file shows, and
    an argument, a view or other name, an attribute, or an element of a list.

    A tensor that the function has just made may as well be bound anew, and `x[i] += y` writes
    into a tensor x. Of a target that nothing is known of, nothing is said: most are numbers.
    """
    tensors = _Tensors(module)
    for statement in module.nodes_of(ast.AugAssign):
        operator = OPERATORS.get(type(statement.op))
        if operator and _is_seen(tensors, statement) and not is_in_kernel(module, statement):
            yield f"{TENSOR}.{operator}", statement


def bitwise(module: Module) -> Iterator[tuple[str, ast.BinOp]]:
    """(name of the method, expression) where a tensor, by what the file shows, and a whole number
    that is written out are the operands."""
    tensors = _Tensors(module)
    for node in module.nodes_of(ast.BinOp):
        method, sides = BITWISE.get(type(node.op)), (node.left, node.right)
        numbers = [s for s in sides if isinstance(s, ast.Constant) and isinstance(s.value, int)]
        if method and numbers and any(map(tensors.has, sides)) and not is_in_kernel(module, node):
            yield f"{TENSOR}.{method}", node


def _is_seen(tensors: _Tensors, statement: ast.AugAssign) -> bool:
    """Whether what a statement changes is a tensor, and may be seen elsewhere."""
    target = statement.target
    if isinstance(target, ast.Subscript):
        return tensors.has(target.value, many=True)
    if isinstance(target, ast.Name):
        return tensors.has(target) and _is_shared(tensors.module, target, target.id, set())
    given = _find_stored(tensors.module, target.attr)
    counts = any(isinstance(v, ast.Constant) and v.value is not None for v in given)
    return tensors.has(target) or (not counts and tensors.has(statement.value))


def _is_shared(module: Module, node: ast.expr, own: str, looked: set[ast.expr]) -> bool:
    """Whether an expression may give memory that is reached otherwise than by the name `own`."""
    match node:
        case ast.Name(id=name) if name == own:
            values, argument = _current(module, node)
            new = [value for value in values if value not in looked]
            looked.update(new)
            return argument or any(_is_shared(module, value, own, looked) for value in new)
        case ast.Name():
            return True
        case ast.Attribute(attr=part, value=value) if part not in PARTS:
            return not isinstance(value, ast.Call)  # what a call gives has no other name
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            return _is_shared(module, value, own, looked)
        case ast.Call(func=ast.Attribute(attr=method, value=value)) if method in VIEWS:
            return _is_shared(module, value, own, looked)
        case ast.IfExp(body=body, orelse=orelse):
            return any(_is_shared(module, part, own, looked) for part in (body, orelse))
        case ast.BoolOp(values=parts):
            return any(_is_shared(module, part, own, looked) for part in parts)
    return False


@dataclass(frozen=True, slots=True)
class _Tensors:
    """What a file shows to be tensors, at times at least, or to hold `many` of them."""

    module: Module
    known: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def has(self, node: ast.expr, many: bool = False) -> bool:
        key: tuple[object, ...] = (node, many)
        if isinstance(node, ast.Name):
            key = (self.module.function(node), node.id, many)
        if key not in self.known:
            self.known[key] = False  # of what is given to itself
            self.known[key] = self._holds(node) if many else self._is(node)
        return self.known[key]

    def _is(self, node: ast.expr) -> bool:
        match node:
            case ast.Name():
                annotated = _names_tensor(self.module, _annotation(self.module, node))
                return annotated or any(map(self.has, _values(self.module, node)))
            case ast.Call(func=ast.Attribute(attr=method, value=value) as called):
                if self._makes(called) or method in OF_TENSORS:
                    return True
                gives = method in VIEWS or makes(f"{TENSOR}.{method}") == TENSOR
                return gives and self.has(value)
            case ast.Call(func=called):
                return self._makes(called)
            case ast.Attribute(attr=part, value=value) if part in PARTS:
                return self.has(value)
            case ast.Attribute(attr=part):
                return any(map(self.has, _find_stored(self.module, part)))
            case ast.Subscript(value=value, slice=index):
                known = self.has(value) or self.has(value, many=True)
                return known or (_is_of_arrays(index) and not self._is_array(value))
            case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
                return self.has(left) or self.has(right)
            case ast.BoolOp(values=parts):
                return any(map(self.has, parts))
            case ast.UnaryOp(operand=operand):
                return self.has(operand)
        return False

    def _makes(self, called: ast.expr) -> bool:
        return makes(self.module.resolve(called) or "") == TENSOR

    def _holds(self, node: ast.expr) -> bool:
        match node:
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Dict(values=elements):
                return any(map(self.has, elements))
            case ast.ListComp(elt=element) | ast.DictComp(value=element):
                return self.has(element)
            case ast.BinOp(left=ast.List() as several, op=ast.Mult()):
                return self._holds(several)
            case ast.Name():
                values = _values(self.module, node)
                annotation = _annotation(self.module, node)
                if isinstance(annotation, ast.Subscript):
                    last = getattr(annotation.slice, "elts", [annotation.slice])[-1]
                    alone = _names_tensor(self.module, annotation)
                    return not alone and _names_tensor(self.module, last)
            case ast.Attribute(attr=name):
                values = _find_stored(self.module, name)
            case _:
                return False
        return any(self.has(value, many=True) for value in values)

    def _is_array(self, node: ast.expr) -> bool:
        """Whether an expression is made by another library of arrays."""
        nodes = _values(self.module, node) if isinstance(node, ast.Name) else [node]
        called = (self.module.resolve(n.func) or "" for n in nodes if isinstance(n, ast.Call))
        return any(name.startswith(ARRAYS) for name in called)


def _is_of_arrays(index: ast.expr) -> bool:
    """Whether an index is of several dimensions: `x[:, 0]`, `x[..., 1]`, `x[None, :]`."""
    parts = index.elts if isinstance(index, ast.Tuple) else []
    return any(
        isinstance(part, ast.Slice)
        or (isinstance(part, ast.Constant) and part.value in (None, ...))
        for part in parts
    )


def _annotation(module: Module, name: ast.Name) -> ast.expr | None:
    argument = parameter(module.function(name), name.id)
    return argument.annotation if argument is not None else None


def _names_tensor(module: Module, annotation: ast.expr | None) -> bool:
    """Whether an annotation is torch.Tensor, or that or something else: not a list of them."""
    match annotation:
        case ast.BinOp(left=left, right=right):
            return _names_tensor(module, left) or _names_tensor(module, right)
        case ast.Subscript(value=outer, slice=inner):
            either = module.resolve(outer) in ("typing.Optional", "typing.Union")
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return either and any(_names_tensor(module, part) for part in parts)
        case ast.Constant(value=str(text)):
            root, _, rest = text.partition(".")
            origin = module.origin(root, annotation)
            return class_of(f"{origin}.{rest}" if rest else origin) == TENSOR
        case None:
            return False
    return class_of(module.resolve(annotation)) == TENSOR


def _stores(module: Module, name: ast.Name) -> list[ast.Name]:
    """Where the function of a name binds it, but in operators in place."""
    scope = module.function(name)
    return [
        node
        for node in module.stores.get(name.id, ())
        if module.function(node) is scope and not isinstance(module.parents[node], ast.AugAssign)
    ]


def _values(module: Module, name: ast.Name) -> list[ast.expr]:
    """What a name is given in its function."""
    return [v for node in _stores(module, name) if (v := _value(module, node)) is not None]


def _value(module: Module, node: ast.expr) -> ast.expr | None:
    """What is stored in a name or attribute, where it is an expression."""
    match module.parents[node]:
        case ast.For(target=target, iter=several) if target is node:
            return ast.Subscript(several, ast.Constant(0), ast.Load())
        case ast.withitem():
            return None
    return module.assigned_value(node)


def _find_stored(module: Module, attribute: str) -> list[ast.expr]:
    """What the file stores in attributes of a name, and registers as buffers of it."""
    nodes = module.attributes.get(attribute, ())
    values = [_value(module, node) for node in nodes if isinstance(node.ctx, ast.Store)]
    values += [
        call.args[1]
        for node in module.attributes.get("register_buffer", ())
        if isinstance(call := module.parents[node], ast.Call) and len(call.args) > 1
        if isinstance(name := call.args[0], ast.Constant) and name.value == attribute
    ]
    return [value for value in values if value is not None]


def _current(module: Module, name: ast.Name) -> tuple[list[ast.expr], bool]:
    """What a name may have been given last, at a place; whether it may still be an argument."""
    stores = [(_end(module, node), node) for node in _stores(module, name)]
    around = {id(block) for block in _blocks(module, name)}
    before = [
        end
        for end, node in stores
        if end <= (name.lineno, name.col_offset) and id(next(_blocks(module, node))) in around
        if not isinstance(module.parents[node], ast.For)
    ]
    last = max(before, default=(0, 0))
    values = [v for end, node in stores if end >= last and (v := _value(module, node))]
    return values, not before and parameter(module.function(name), name.id) is not None


def _blocks(module: Module, node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements that a node stands in, the innermost first."""
    for inner, outer in pairwise((node, *module.ancestors(node))):
        for part in ("body", "orelse", "finalbody"):
            block = getattr(outer, part, None)
            if isinstance(block, list) and inner in block:
                yield block


def _end(module: Module, node: ast.Name) -> tuple[int, int]:
    """Where a name has its new value: after the assignment, in which it still has the old one."""
    statement = module.parents[node]
    whole = statement if isinstance(statement, ast.Assign | ast.AnnAssign) else node
    return whole.end_lineno or 0, whole.end_col_offset or 0
