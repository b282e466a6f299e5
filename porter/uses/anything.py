"""Attributes of what may be an object of torch's, or of something else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.languages.python_tree import parameter
from porter.surface.classes import builtin_attributes, receivers

ANYTHING = "?."  # before such an attribute, as the name of a use
DEEPEST = 8  # calls of one another's results, and variables
DIMENSIONS = frozenset({"dim", "dims", "keepdim"})  # as nobody else calls them
LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp)
OF_BUILTINS = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple"})


def find_attributes(module: Module) -> Iterator[ast.Attribute]:
    """The attributes that a tensor, dtype or generator of torch has, of what is not known to be
    something else, nor one of these: that has been told."""
    owners = receivers()
    for attr in owners.keys() & module.attributes.keys():
        for node in module.attributes[attr]:
            usual = attr in builtin_attributes() and not _has_dimensions(module, node)
            if isinstance(node.ctx, ast.Load) and not usual and not _is_other(module, node.value):
                yield node


def name_of(node: ast.Attribute) -> str:
    """`?.select`; of what is called a dtype `?.dtype.itemsize`."""
    owner = getattr(node.value, "attr", getattr(node.value, "id", ""))
    of_dtype = owner.endswith("dtype") and "torch.dtype" in receivers()[node.attr]
    return f"{ANYTHING}{'dtype.' if of_dtype else ''}{node.attr}"


def _has_dimensions(module: Module, node: ast.Attribute) -> bool:
    call = module.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return False
    return any(keyword.arg in DIMENSIONS for keyword in call.keywords)


def _is_other(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether an expression is no object of torch's: a literal, a module or what it has, what a
    function of another library gives, an object of the file's own class."""
    if isinstance(node, LITERALS):
        return True
    if isinstance(node, ast.Call):
        called = module.resolve(node.func)
        if called is not None or not isinstance(node.func, ast.Attribute) or depth >= DEEPEST:
            return called is not None and not called.startswith(("torch.", "."))
        return _is_other(module, node.func.value, depth + 1)
    if module.resolve(node) is not None:
        return True
    if not isinstance(node, ast.Name):
        return False
    if node.id in ("self", "cls"):
        return True
    scope = module.function(node)
    argument, values = parameter(scope, node.id), module.bindings(scope, node.id)
    if argument is not None:
        return not values and _is_annotated_as_other(module, argument.annotation)
    given = values[0] if len(values) == 1 else None
    return given is not None and depth < DEEPEST and _is_other(module, given, depth + 1)


def _is_annotated_as_other(module: Module, annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.Name) and annotation.id in OF_BUILTINS:
        return True
    name = module.resolve(annotation) if annotation is not None else None
    return name is not None and not name.startswith(("torch.", "typing.", "jaxtyping."))
