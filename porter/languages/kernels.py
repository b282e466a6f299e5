"""Which Python is the body of a device function, that is compiled and not run."""

from __future__ import annotations

import ast

from porter.languages.python import Module

LANGUAGES = frozenset({"triton", "tilelang", "tvm", "cutlass", "numba", "helion", "taichi"})
MARKS = frozenset({"jit", "prim_func", "kernel", "macro"})


def is_in_kernel(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in the body of a device function: @triton.jit, @T.prim_func, ..."""
    functions = (outer for outer in module.ancestors(node) if isinstance(outer, ast.FunctionDef))
    return any(_marks(module, each) for outer in functions for each in outer.decorator_list)


def _marks(module: Module, decorator: ast.expr) -> bool:
    name = module.resolve(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if name is None or name == "tilelang.jit":  # that decorates the host function that makes one
        return False
    return name.partition(".")[0] in LANGUAGES and name.rpartition(".")[2] in MARKS
