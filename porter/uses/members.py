"""Attributes of torch objects in Python: by what the receiver is, else by a name only torch has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.surface.classes import (
    CONTEXT,
    PAIRS,
    TENSOR,
    class_of,
    distinctive,
    makes,
    members_of,
    possible,
    tensor_methods,
)
from porter.uses.reaching import stores_reaching

DTYPE = re.compile(
    r"torch\.(?:u?int\d*|b?float\w*|half|double|long|short|bool|complex\d+|c(?:float|double))\Z"
)
DEEPEST = 8  # calls of one another's results, and variables
DEEPEST_OF_SEVERAL, MOST = 3, 4  # of a variable with several values, each of one class


def members(module: Module) -> Iterator[tuple[str, ast.Attribute]]:
    """(full name, attribute) for each attribute of a torch object, in source order.

    The receiver is known from an annotation, from the one call it is assigned from, or from
    being the context of an autograd function. Else only an attribute that no usual Python
    object has counts, and only where the file does not define one of that name.
    """
    own, lists, telling, asked = _find_defined(module), members_of(), distinctive(), possible()
    found: list[tuple[str, ast.Attribute]] = []
    for node in (
        node for attr in asked & module.attributes.keys() for node in module.attributes[attr]
    ):
        owner = receiver(module, node.value)
        if owner is not None:
            if node.attr in lists.get(owner, ()):
                found.append((f"{owner}.{node.attr}", node))
        elif _is_gradient_set(module, node):
            found.append((f"{TENSOR}.grad", node))
        elif node.attr not in own and _is_unresolved(module, node):
            if node.attr in telling:
                found.append((telling[node.attr], node))
            elif _gives_a_pair(module, node) or _views_as_dtype(module, node):
                found.append((f"{TENSOR}.{node.attr}", node))
    found.sort(key=lambda item: (item[1].lineno, item[1].col_offset))
    yield from found


def _is_gradient_set(module: Module, node: ast.Attribute) -> bool:
    """Whether it is `x.grad = ...`, of no object of the file's own."""
    stored = node.attr == "grad" and isinstance(node.ctx, ast.Store)
    return stored and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))


def _gives_a_pair(module: Module, node: ast.Attribute) -> bool:
    """Whether it is called for values and indices, as only a tensor's method gives them: a list's
    sort gives nothing, and nobody's max two things."""
    call = module.parents.get(node)
    if node.attr not in PAIRS or not isinstance(call, ast.Call) or call.func is not node:
        return False
    user = module.parents.get(call)
    if isinstance(user, ast.Subscript):
        return node.attr == "sort" and user.value is call
    if not isinstance(user, ast.Assign):
        return False
    target = user.targets[0]
    return isinstance(target, ast.Tuple) and len(target.elts) == 2


def _views_as_dtype(module: Module, node: ast.Attribute) -> bool:
    """Whether it is `x.view(torch.int32)`: NumPy's arrays take no dtype of torch."""
    call = module.parents.get(node)
    if node.attr != "view" or not isinstance(call, ast.Call) or call.func is not node:
        return False
    return bool(call.args and DTYPE.match(module.resolve(call.args[0]) or ""))


def name_dtype_member(name: str) -> str:
    """`torch.int8.itemsize` as a member of torch's class of dtypes; other names as they are."""
    owner, _, attribute = name.rpartition(".")
    return f"torch.dtype.{attribute}" if DTYPE.match(owner) else name


def is_dtype(module: Module, value: ast.expr) -> bool:
    """Whether it is `torch.int32`, or so."""
    return bool(DTYPE.match(module.resolve(value) or ""))


def may_be_dtype(module: Module, value: ast.expr) -> bool:
    """Whether it is `torch.int32`, `x.dtype`, or called so."""
    last = str(getattr(value, "attr", None) or getattr(value, "id", ""))
    return last.endswith("dtype") or is_dtype(module, value)


def _is_unresolved(module: Module, node: ast.Attribute) -> bool:
    """Whether the chain is no name of a module, as `torch.cuda.x` is."""
    return module.resolve(node) is None


def _find_defined(module: Module) -> frozenset[str]:
    """Attributes the file gives its own objects."""
    names = {function.name for function in module.nodes_of(ast.FunctionDef)}
    names |= {n.attr for n in module.changed_attributes if type(n.ctx) is ast.Store}
    fields = (node.target for node in module.nodes_of(ast.AnnAssign))
    names |= {target.id for target in fields if isinstance(target, ast.Name)}
    return frozenset(names)


def receiver(module: Module, node: ast.expr, depth: int = 0) -> str | None:
    """The torch class of an expression, where the file shows it."""
    if type(node) is ast.Call:
        called = module.resolve(node.func)
        if called is not None or not isinstance(node.func, ast.Attribute):
            return makes(called) if called else None
        tensor = node.func.attr in tensor_methods() and depth < DEEPEST
        return receiver(module, node.func.value, depth + 1) if tensor else None
    if type(node) is ast.Subscript and depth < DEEPEST:
        return TENSOR if receiver(module, node.value, depth + 1) == TENSOR else None
    if type(node) is not ast.Name:
        return None
    stores = stores_reaching(module, node)
    known, key = module.remembered, (receiver, module.function(node), node.id, stores, depth)
    if key not in known:
        known[key] = _variable(module, node, stores, depth)
    found: str | None = known[key]
    return found


def _variable(
    module: Module, node: ast.Name, stores: tuple[ast.Name | None, ...], depth: int
) -> str | None:
    """The class of a variable or argument where it is used, by where it is given what it is."""
    if stores == (None,):
        return _argument(module, node)
    deepest = DEEPEST if len(stores) == 1 else DEEPEST_OF_SEVERAL
    if not 1 <= len(stores) <= MOST or depth >= deepest:
        return None
    found = set()
    for each in stores:
        value = module.assigned_value(each) if each is not None else None
        passed = _argument(module, node) if each is None else None
        found.add(receiver(module, value, depth + 1) if value is not None else passed)
    return found.pop() if len(found) == 1 else None


def _argument(module: Module, node: ast.Name) -> str | None:
    """The class of an argument: annotated, or the context of an autograd function."""
    scope = module.function(node)
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    arguments = [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
    argument = next((a for a in arguments if a.arg == node.id), None)
    if argument is None:
        return None
    if argument.annotation is not None:
        return _annotation_class(module, argument.annotation)
    parent = module.parents.get(scope)
    if argument is arguments[0] and isinstance(parent, ast.ClassDef):
        bases = {module.resolve(base) for base in parent.bases}
        if bases & {"torch.autograd.Function", "torch.autograd.function.Function"}:
            return CONTEXT
    return None


def _annotation_class(module: Module, annotation: ast.expr) -> str | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        root, dot, rest = annotation.value.partition(".")
        origin = module.origin(root, annotation)
        name = f"{origin}{dot}{rest}" if origin else None
    else:
        name = module.resolve(annotation)
    return class_of(name)
