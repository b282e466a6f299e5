"""`library.impl("f", f, "CUDA")`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import imports_torch

KEYS = {"CUDA": "PrivateUse1", "AutogradCUDA": "AutogradPrivateUse1"}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module):
        return
    for call in module.nodes_of(ast.Call):
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "impl":
            continue
        for given in [*call.args[1:], *(k.value for k in call.keywords if k.arg == "dispatch_key")]:
            if isinstance(given, ast.Constant) and given.value in KEYS:
                new = module.replace(given, f'"{KEYS[given.value]}"')
                yield Match(module.span(call), (new,))
