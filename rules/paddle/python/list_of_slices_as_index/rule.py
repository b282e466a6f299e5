"""`x[v]` where v is a list that was made of slices."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module, parameter
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import imports_torch, is_in_device_function


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module):
        return
    for index in module.nodes_of(ast.Subscript):
        variable = index.slice
        if not isinstance(variable, ast.Name) or is_in_device_function(module, index):
            continue
        scope = module.function(variable)
        made = module.bindings(scope, variable.id)
        if made and not parameter(scope, variable.id) and all(map(_has_slices, made)):
            edits = Edit(module.start_of(variable), b"tuple("), Edit(module.end_of(variable), b")")
            yield Match(module.span(index), edits, name="torch.Tensor.__getitem__")


def _has_slices(value: ast.expr | None) -> bool:
    """`[slice(None)] * n`, `[slice(a, b), c]`, `[slice(0, n) for n in sizes]`."""
    if isinstance(value, ast.BinOp):
        return _has_slices(value.left) or _has_slices(value.right)
    if isinstance(value, ast.ListComp):
        return _is_slice(value.elt)
    return isinstance(value, ast.List) and any(map(_is_slice, value.elts))


def _is_slice(value: ast.expr) -> bool:
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "slice"
