"""The first torch import of a build script."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.guard import DEFINITIONS, asks_for_torch, enables_proxy, first_torch_import, guard
from porter.targets.paddle import PROXY


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    statement = first_torch_import(module)
    if statement is None or enables_proxy(module, PROXY):
        return
    body = [each for each in module.tree.body if not isinstance(each, DEFINITIONS)]
    asking = (each for each in body if any(map(asks_for_torch, ast.walk(each))))
    place = min(next(asking, statement), statement, key=lambda each: each.lineno)
    yield replace(guard(module, place), span=module.span(statement))
