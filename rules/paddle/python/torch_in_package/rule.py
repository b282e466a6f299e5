"""The file that is run first when what uses torch is imported."""

from __future__ import annotations

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.guard import completes_proxy, first_foreign_import, guard
from porter.targets.paddle import PROXY


def is_about(path: str, facts: ProjectFacts) -> bool:
    return path in facts.first_modules


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if is_about(module.path, facts) and not completes_proxy(module, PROXY):
        yield guard(module, first_foreign_import(module))
