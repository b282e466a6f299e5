"""Calls that look for `libcudart` by name, as loaded already."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import imports_torch


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module):
        return
    calls = [node for node in module.nodes if isinstance(node, ast.Call)]
    for call in sorted(calls, key=module.span):
        if any(_names_libcudart(argument) for argument in call.args):
            yield Match(module.span(call))


def _names_libcudart(argument: ast.expr) -> bool:
    """Without a version it is the toolkit's, on the path of the loader, whoever loaded another."""
    text = argument.value if isinstance(argument, ast.Constant) else None
    named = isinstance(text, str) and text.startswith("libcudart") and " " not in text
    return named and text != "libcudart.so"
