"""The first torch import of a build script."""

from __future__ import annotations

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts, Style
from porter.rules.guard import enabled, first_torch_import, guard


def check(module: Module, facts: ProjectFacts, style: Style) -> Iterator[Match]:
    statement = first_torch_import(module)
    if statement is not None and not enabled(module):
        yield guard(module, statement, style)
