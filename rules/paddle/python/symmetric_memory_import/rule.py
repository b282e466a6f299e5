"""`import torch.distributed._symmetric_memory as symm_mem` at the top of a module."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts

NAME = "torch.distributed._symmetric_memory"
FIRST = (
    "Paddle has no symmetric memory: here the `try` ends, and the imports below are not reached; "
    "above it they are, in both"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for statement in module.tree.body:
        if isinstance(statement, ast.Try):
            yield from _wrap_in_try(module, statement)
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        if not _is_of_it(statement):
            continue
        bound = [alias.asname or alias.name for alias in statement.names]
        plain = all(name.isidentifier() for name in bound)  # import a.b binds a
        span = module.span(statement)
        place = Place(span, {"bound": " ".join(bound)}) if plain else None
        yield Match(span, name=NAME, place=place)


def _wrap_in_try(module: Module, block: ast.Try) -> Iterator[Match]:
    """The import in a `try`, where it fails before others that would not: these go first.

    A handler that stands in for them, or ends the import of the module, thought of it.
    """
    imports = (ast.Import, ast.ImportFrom)
    handled = [node for handler in block.handlers for node in handler.body]
    if any(isinstance(node, (ast.Assign, ast.Raise, *imports)) for node in handled):
        return
    for index, statement in enumerate(block.body[:-1]):
        rest = block.body[index + 1 :]
        if isinstance(statement, imports) and _is_of_it(statement):
            if all(isinstance(other, imports) and not _is_of_it(other) for other in rest):
                span = module.span(statement)
                yield Match(span, (), FIRST, name=NAME, place=Place(module.span(block)))
            return


def _is_of_it(statement: ast.Import | ast.ImportFrom) -> bool:
    return any(name == NAME or name.startswith(f"{NAME}.") for name in _read_imports(statement))


def _read_imports(statement: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names]
    if statement.level:
        return []
    return [f"{statement.module}.{alias.name}" for alias in statement.names]
