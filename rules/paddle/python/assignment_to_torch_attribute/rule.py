"""Assignments to attributes of the torch module and of classes and modules in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

HARMLESS = ("torch.backends.", "torch._dynamo.config.", "torch._inductor.config.", "torch.ops.")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name in module.names:
        node = name.node
        if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        if name.qualified.startswith("torch.") and not name.qualified.startswith(HARMLESS):
            yield Match(module.span(node), name=name.qualified)
