"""What each scope of a Python file binds: imports, and variables with what they are given."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator

from porter.languages.python_tree import Tree


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a statement imports from, also where it says it from its own package on."""
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    parts = parts[: len(parts) - node.level + 1]
    return ".".join(filter(None, [*parts, node.module or ""]))


def collected(
    module: Tree, package: str, origin_of: Callable[[str], str]
) -> dict[ast.AST, dict[str, str | None]]:
    """By scope node: name -> dotted import origin, or None where bound to something else. What is
    imported from a module is where `origin_of` says."""
    scopes = module.walk.scopes
    bindings: dict[ast.AST, dict[str, str | None]] = defaultdict(dict)
    for plain in module.of(ast.Import):
        for alias in plain.names:
            top = alias.name.partition(".")[0]
            bindings[scopes[plain]][alias.asname or top] = alias.name if alias.asname else top
    for origin in module.of(ast.ImportFrom):
        base = absolute(origin, package)
        for alias in origin.names:
            if alias.name != "*":
                whole = origin_of(f"{base}.{alias.name}")
                bindings[scopes[origin]][alias.asname or alias.name] = whole
    for name, node in _bound_otherwise(module):
        bindings[scopes[node]].setdefault(name, None)  # an import of the same name wins
    return dict(bindings)


def _bound_otherwise(module: Tree) -> Iterator[tuple[str, ast.AST]]:
    for name in module.of(ast.Name):
        if not isinstance(name.ctx, ast.Load):
            yield name.id, name
    for argument in module.of(ast.arg):
        yield argument.arg, argument
    for handler in module.of(ast.ExceptHandler):
        if handler.name:
            yield handler.name, handler
    definitions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = [
        *module.of(ast.FunctionDef),
        *module.of(ast.AsyncFunctionDef),
        *module.of(ast.ClassDef),
    ]
    for definition in definitions:
        yield definition.name, definition
