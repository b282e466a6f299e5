"""What is seen of a call's arguments beyond their literals: variables, annotations, tensors."""

from __future__ import annotations

import ast

from porter.languages.python import Module
from porter.languages.python_tree import parameter
from porter.model import Given
from porter.surface import arguments
from porter.surface.classes import TENSOR
from porter.uses.members import is_dtype, receiver

ANNOTATED = {
    "int": "number whole ?",
    "float": "number ?",  # an int is one, too
    "bool": "number truth ?",
    "str": "text ?",
    "list": "sequence ?",
    "tuple": "sequence ?",
}


def read_call(module: Module, node: ast.AST) -> Given | None:
    """The arguments of the call of a name or attribute; None where it is not called."""
    call = module.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return None
    known, key = module.remembered, (read_call, call)
    if key not in known:
        known[key] = arguments.read_arguments(call, lambda value: _look(module, value))
    given: Given = known[key]
    return given


def _look(module: Module, node: ast.expr) -> str:
    if receiver(module, node) == TENSOR:
        return arguments.TENSOR
    if is_dtype(module, node):
        return "dtype"
    if not isinstance(node, ast.Name):
        return ""
    scope = module.function(node)
    argument, values = parameter(scope, node.id), module.bindings(scope, node.id)
    if argument is None and len(values) == 1 and isinstance(values[0], ast.expr):
        # Of a variable of a variable no more is seen.
        return arguments.describe(values[0], lambda _: "")
    if argument is not None and not values and isinstance(argument.annotation, ast.Name):
        return ANNOTATED.get(argument.annotation.id, "")
    return ""
