"""`from torch.torch_version import TorchVersion`, with packaging's Version where it is missing."""

import ast
from collections.abc import Iterator

from porter.languages.python import SCOPES, Module
from porter.model import Match, Place, ProjectFacts, Safety
from porter.rules.evidence import is_made_by

NAME = "torch.torch_version.TorchVersion"
COMPARED = (
    "Paddle lacks torch.torch_version; packaging's Version orders versions the same way, but is "
    "only compared with another Version: check the uses"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name, alias, statement in module.imports:
        if name != NAME or _is_tried(module, statement):
            continue
        span, known = module.span(statement), {"bound": alias.asname or alias.name}
        place = Place(span, known) if len(statement.names) == 1 else None
        like = _is_compared_with_its_like(module)
        message, safety = (None, None) if like else (COMPARED, Safety.REVIEW)
        yield Match(span, (), message, safety, NAME, place)


def _is_tried(module: Module, node: ast.AST) -> bool:
    while node in module.parents and not isinstance(node, SCOPES):
        node = module.parents[node]
        if isinstance(node, ast.Try):
            return True
    return False


def _is_compared_with_its_like(module: Module) -> bool:
    """Whether the file uses the class only to compare its objects with one another."""
    for used in module.names:
        if used.qualified.partition(".__")[0] != NAME:
            continue
        call = module.parents[used.node]
        if not isinstance(call, ast.Call) or call.func is not used.node:
            return False
        parent = module.parents[call]
        if isinstance(parent, ast.Compare) and not _all_versions(module, parent):
            return False
    return all(
        _all_versions(module, node)
        for node in module.nodes
        if isinstance(node, ast.Compare) and any(_is_version(module, side) for side in _sides(node))
    )


def _sides(compare: ast.Compare) -> list[ast.expr]:
    return [compare.left, *compare.comparators]


def _is_version(module: Module, value: ast.expr) -> bool:
    return is_made_by(module, value, frozenset({NAME}))


def _all_versions(module: Module, compare: ast.Compare) -> bool:
    return all(_is_version(module, side) for side in _sides(compare))
