"""A bdist_wheel command that downloads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import TORCH_VERSION

FETCH = ("urllib.request.urlretrieve", "urllib.request.urlopen")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not any(used.qualified.startswith(TORCH_VERSION) for used in module.names):
        return
    for call in module.calls_to(set(FETCH)):
        node: ast.AST = call
        while node in module.parents:
            node = module.parents[node]
            if isinstance(node, ast.ClassDef) and any(_is_wheel(b) for b in node.bases):
                yield Match(module.span(call))
                break


def _is_wheel(base: ast.expr) -> bool:
    return "bdist_wheel" in ast.dump(base)
