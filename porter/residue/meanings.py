"""Forms of Python that a proxy takes otherwise than torch, though no name in them is torch's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from porter.model import State, Surface
from porter.residue.judged import Judged, judge_quirks
from porter.residue.resolve import Place

GROUP = "torch.distributed.ProcessGroup"
KEYED = frozenset({"hash", "get", "setdefault", "add"})
NAMES_OF_DTYPES = ("float", "half", "bfloat", "double", "int", "uint", "bool", "complex", "long")


def judge_call(place: Place, target: Surface) -> Iterator[Judged]:
    """Calls: sizes one by one, a number as the base of a power, what is read of a dtype's text."""
    call = place.node
    assert isinstance(call, ast.Call)
    name = place.scope.resolve(call.func) or ""
    if name == "torch.pow" and call.args and isinstance(_strip_sign(call.args[0]), ast.Constant):
        yield from judge_quirks(target, name, "number_as_base")
    if getattr(call.func, "attr", "") == "broadcast_to" and not name:
        many = len(call.args) > 2 or any(isinstance(a, ast.Starred) for a in call.args)
        if many:
            yield from judge_quirks(target, "torch.Tensor.broadcast_to", "sizes_one_by_one")
    method = getattr(call.func, "attr", "") if not (call.args or call.keywords) else ""
    if method == "stride" and _needs_a_tuple(place):
        yield from judge_quirks(target, "torch.Tensor.stride", "tuple_is_needed")
    if method in ("rank", "size") and _is_group(getattr(call.func, "value", call), place):
        symbol = target.python.get(GROUP)
        if symbol is not None and symbol.state is State.MISSING:
            yield Judged(f"{GROUP}.{method}", "is no method", State.DIFFERENT)
    if _is_read(place) and _is_text(call, place):
        yield from judge_quirks(target, "torch.dtype", "text_read")


def judge_name(place: Place, target: Surface) -> Iterator[Judged]:
    """Variables and attributes: shapes as keys, lists of slices as indices."""
    node, outer = place.node, place.around[-1]
    if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) and node in outer.decorator_list:
        name = place.scope.resolve(node)
        if name is not None:
            yield from judge_quirks(target, name, "decorator_without_call")
    if isinstance(node, ast.Name) and isinstance(outer, ast.Subscript) and outer.slice is node:
        made = place.scope.value(node.id)
        if made is not None and _is_list_of_slices(made):
            yield from judge_quirks(target, "torch.Tensor.__getitem__", "list_of_slices")
    if isinstance(node, ast.Name) and isinstance(outer, ast.Subscript) and outer.value is node:
        stored = isinstance(outer.ctx, ast.Store)
        if stored and _is_float8(place.scope.value(node.id), place):
            yield from judge_quirks(target, "torch.Tensor.__setitem__", "slice_of_float8")
    if isinstance(node, ast.Name) and _is_key(place) and isinstance(node.ctx, ast.Load):
        made = place.scope.value(node.id)
        if isinstance(made, ast.Tuple) and any(_is_shape(each) for each in made.elts):
            yield from judge_quirks(target, "torch.Size", "key", made)
    if _is_read(place) and _is_text(node, place):
        yield from judge_quirks(target, "torch.dtype", "text_read")
    if isinstance(outer, ast.Assign) and node in outer.targets and _is_keyed(outer.value):
        yield from judge_quirks(target, "torch.dtype", "text_read")
    if isinstance(node, ast.Attribute) and _is_shape(node) and _is_key(place):
        yield from judge_quirks(target, "torch.Size", "key")


def _is_group(node: ast.expr, place: Place) -> bool:
    """Whether a variable is annotated as a group of processes, or made one."""
    holder = place.scope.holder(node.id) if isinstance(node, ast.Name) else None
    if holder is None or not isinstance(node, ast.Name):
        return False
    annotation = holder.annotations.get(node.id)
    if annotation is not None and "ProcessGroup" in ast.unparse(annotation):
        return True
    calls = [value for value in holder.values.get(node.id, []) if isinstance(value, ast.Call)]
    return any(place.scope.resolve(c.func) == "torch.distributed.new_group" for c in calls)


def _is_float8(made: ast.expr | None, place: Place) -> bool:
    keywords = made.keywords if isinstance(made, ast.Call) else []
    dtypes = (place.scope.resolve(k.value) or "" for k in keywords if k.arg == "dtype")
    return any(dtype.startswith("torch.float8") for dtype in dtypes)


def _strip_sign(node: ast.expr) -> ast.expr:
    return node.operand if isinstance(node, ast.UnaryOp) else node


def _is_dtype(node: ast.expr, place: Place) -> bool:
    last = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    torch = (place.scope.resolve(node) or "").startswith("torch.")
    return last.endswith("dtype") or (torch and last.startswith(NAMES_OF_DTYPES))


def _is_text(node: ast.AST, place: Place) -> bool:
    """Whether an expression is the text of a dtype: made here, or given to what gives it."""
    if isinstance(node, ast.Name):
        holder = place.scope.holder(node.id)
        values = holder.values.get(node.id, []) if holder is not None else []
        return any(not isinstance(v, ast.Name) and _is_text(v, place) for v in values)
    if isinstance(node, ast.Attribute):
        return node.attr in _find_carriers(place.around[0])
    if isinstance(node, ast.JoinedStr) and len(node.values) == 1:
        part = node.values[0]
        return isinstance(part, ast.FormattedValue) and _is_dtype(part.value, place)
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    made = name == "str" and isinstance(node.func, ast.Name) and bool(node.args)
    return _is_dtype(node.args[0], place) if made else name in _find_carriers(place.around[0])


@lru_cache(maxsize=8)
def _find_carriers(tree: ast.AST) -> frozenset[str]:
    """The attributes that are given the text of a dtype in a file, and the functions that return
    it, by name."""
    found: set[str] = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        texts = set[str]()
        for node in ast.walk(function):
            value = getattr(node, "value", None)
            is_name = isinstance(value, ast.Name) and value.id in texts
            if not (is_name or (isinstance(value, ast.expr) and _is_made(value))):
                continue
            if isinstance(node, ast.Return):
                found.add(function.name)
            for given in node.targets if isinstance(node, ast.Assign) else ():
                (texts if isinstance(given, ast.Name) else found).add(
                    getattr(given, "attr", getattr(given, "id", ""))
                )
    return frozenset(found - {""})


def _is_made(value: ast.expr) -> bool:
    """`str(dtype)`, or an f-string of a dtype alone."""
    if isinstance(value, ast.Call):
        of = value.args[0] if getattr(value.func, "id", "") == "str" and value.args else None
    else:
        parts = value.values if isinstance(value, ast.JoinedStr) else []
        of = getattr(parts[0], "value", None) if len(parts) == 1 else None
    return getattr(of, "attr", getattr(of, "id", "")).endswith("dtype")


def _is_read(place: Place) -> bool:
    """Whether a text is cut behind `torch.`, or put beside one that begins with `torch`."""
    outer = place.around[-1]
    if isinstance(outer, ast.Subscript):
        return ast.unparse(outer.slice) in ("6:", "len('torch.'):", "len('torch') + 1:")
    if isinstance(outer, ast.Attribute) and isinstance(place.around[-2], ast.Call):
        return any(_begins(argument) for argument in place.around[-2].args)
    return isinstance(outer, ast.Compare) and any(map(_begins, ast.walk(outer)))


def _begins(node: ast.AST) -> bool:
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and text.startswith("torch")


def _is_keyed(value: ast.expr) -> bool:
    keys = value.keys if isinstance(value, ast.Dict) else []
    names = [str(key.value) for key in keys if isinstance(key, ast.Constant) and _begins(key)]
    return any(name.removeprefix("torch.").startswith(NAMES_OF_DTYPES) for name in names)


def _is_list_of_slices(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_list_of_slices(value.left) or _is_list_of_slices(value.right)
    inside = value.elts if isinstance(value, ast.List) else [getattr(value, "elt", value)]
    calls = (each for each in inside if isinstance(each, ast.Call))
    listed = isinstance(value, ast.List | ast.ListComp)
    return listed and any(getattr(call.func, "id", "") == "slice" for call in calls)


def _needs_a_tuple(place: Place) -> bool:
    """Whether all strides are put beside a tuple, joined with one, or hashed."""
    node, *outers = place.node, *reversed(place.around)
    if isinstance(outers[0], ast.Subscript) and isinstance(outers[0].slice, ast.Slice):
        node, *outers = outers
    if isinstance(outers[0], ast.BinOp) and isinstance(outers[0].op, ast.Add):
        return any(
            ast.unparse(n)[:1] == "(" or "tuple(" in ast.unparse(n) for n in _sides(outers[0])
        )
    while isinstance(outers[0], ast.Tuple):
        node, *outers = outers
    outer, around = outers[0], [n for n in _sides(outers[0]) if n is not node]
    if isinstance(outer, ast.Subscript | ast.Dict):
        return node in (getattr(outer, "slice", None), *getattr(outer, "keys", ()))
    if isinstance(outer, ast.Call):
        called = getattr(outer.func, "attr", getattr(outer.func, "id", ""))
        if called in KEYED:
            return outer.args[:1] == [node]
        if not (called.startswith("assert") and called.endswith("Equal")):
            return False
        around = [argument for argument in outer.args[:2] if argument is not node]
    return any(_is_a_tuple(other, place) for other in around)


def _sides(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [node.left, node.right] if isinstance(node, ast.BinOp) else []


def _is_a_tuple(node: ast.expr, place: Place) -> bool:
    value = place.scope.value(node.id) if isinstance(node, ast.Name) else node
    return isinstance(value, ast.Tuple) or (
        value is not None and ast.unparse(value)[:6] == "tuple("
    )


def _is_shape(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", "") == "size" and not node.args
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _is_table(node: ast.expr, place: Place) -> bool:
    """Whether the file writes something by key into it."""
    return ast.unparse(node) in _tables(place.around[0])


@lru_cache(maxsize=1)
def _tables(tree: ast.AST) -> frozenset[str]:
    return frozenset(
        ast.unparse(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    )


def _keeps_results(name: str, place: Place) -> bool:
    return name in _find_caching_functions(place.around[0])


@lru_cache(maxsize=1)
def _find_caching_functions(tree: ast.AST) -> frozenset[str]:
    """The functions of a module whose decorator keeps their results."""
    return frozenset(
        node.name
        for node in getattr(tree, "body", ())
        if isinstance(node, ast.FunctionDef)
        and any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)
    )


def _is_key(place: Place) -> bool:
    """Whether a value, or what it is a part of, is hashed."""
    node = place.node
    for outer in reversed(place.around):
        if isinstance(outer, ast.Subscript) and outer.slice is node:
            return not isinstance(node, ast.Slice)
        if isinstance(outer, ast.Compare):
            asked = node is outer.left and isinstance(outer.ops[0], ast.In | ast.NotIn)
            return asked and _is_table(outer.comparators[0], place)
        if isinstance(outer, ast.Call) and node is not outer.func:
            called = getattr(outer.func, "attr", getattr(outer.func, "id", ""))
            first = bool(outer.args) and outer.args[0] is node
            return (first and called in KEYED) or _keeps_results(called, place)
        sliced = isinstance(outer, ast.Subscript) and isinstance(outer.slice, ast.Slice)
        whole = isinstance(outer, ast.Call) and outer.func is node  # x.size()
        if not (sliced or whole or isinstance(outer, ast.Tuple)):
            return isinstance(outer, ast.Set) or (
                isinstance(outer, ast.Dict) and node in outer.keys
            )
        node = outer
    return False
