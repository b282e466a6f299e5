"""`.index` of `torch.device("cuda")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

DEVICE = "torch.device"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for read in module.attributes.get("index", ()):
        if isinstance(read.ctx, ast.Load) and not _is_called(module, read):
            made = _maker(module, read.value)
            if made is not None and _lacks_number(module, made):
                yield Match(module.span(read), name=DEVICE)


def _is_called(module: Module, read: ast.Attribute) -> bool:
    parent = module.parents[read]  # words.index("x") is no device's
    return isinstance(parent, ast.Call) and parent.func is read


def _maker(module: Module, value: ast.expr) -> ast.expr | None:
    """The call itself, or the only one that a variable is assigned from."""
    if not isinstance(value, ast.Name):
        return value
    values = module.bindings(module.function(value), value.id)
    return values[0] if len(values) == 1 else None


def _lacks_number(module: Module, value: ast.expr) -> bool:
    if not isinstance(value, ast.Call) or module.resolve(value.func) != DEVICE:
        return False
    given = [*value.args, *(keyword.value for keyword in value.keywords)]
    if len(given) != 1 or not isinstance(given[0], ast.Constant):
        return False
    name = given[0].value
    return isinstance(name, str) and name != "cpu" and ":" not in name
