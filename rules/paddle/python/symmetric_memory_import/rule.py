"""`import torch.distributed._symmetric_memory as symm_mem` at the top of a module."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

NAME = "torch.distributed._symmetric_memory"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for statement in module.tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        names = _imported(statement)
        if not any(name == NAME or name.startswith(f"{NAME}.") for name in names):
            continue
        bound = [alias.asname or alias.name for alias in statement.names]
        edits = ()
        if all(name.isidentifier() for name in bound):  # import a.b binds a
            text = module.text(statement).replace("\r\n", "\n").replace("\n", "\n    ")
            fallback = " = ".join([*bound, "None"])
            tried = f"try:\n    {text}\nexcept ImportError:\n    {fallback}"
            edits = (module.replace(statement, tried),)
        yield Match(module.span(statement), edits, name=NAME)


def _imported(statement: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    if statement.level:
        return []
    return [f"{statement.module}.{alias.name}" for alias in statement.names]
