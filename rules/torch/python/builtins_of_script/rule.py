"""`__builtins__.NAME = True` in a setup.py, for the package that the script imports."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if PurePosixPath(module.path).name != "setup.py":
        return
    imported = next(iter(module.identifiers("builtins")), "")
    added = None if imported else _import(module)
    for node in module.nodes_of(ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "__builtins__":
            edits = [module.replace(node.value, imported or "builtins")]
            if added is not None:
                edits.insert(0, added)
                imported, added = "builtins", None
            yield Match(module.span(node), tuple(edits) if imported else (), name="__builtins__")


def _import(module: Module) -> Edit | None:
    """`import builtins` among the imports at the top of the file, in the order of their names."""
    for node in module.tree.body:
        named = node.names[0].name if isinstance(node, ast.Import) else ""
        other = isinstance(node, ast.ImportFrom) and node.module != "__future__"
        if named > "builtins" or other:
            start = module.span(node).start
            return Edit(Span(start, start), module.encode("import builtins\n"))
    return None
