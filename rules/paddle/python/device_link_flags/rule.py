"""The key "nvcc_dlink" of the flags of an extension."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if b"_get_cuda_arch_flags" in module.data:
        return
    for node in module.nodes:
        if isinstance(node, ast.Constant) and node.value == "nvcc_dlink":
            yield Match(module.span(node))
