"""Assignments to attributes of the torch module and of modules in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import conditions

# The modules that Paddle 3.3 has of torch's: those that are proxies, and those in them.
PROXIES = frozenset(
    {"torch"}
    | {f"torch.{name}" for name in ("_C", "amp", "autograd", "cuda", "distributed", "fft", "hub")}
    | {f"torch.{name}" for name in ("jit", "library", "linalg", "nn", "profiler", "quantization")}
    | {f"torch.{name}" for name in ("random", "signal", "sparse", "special", "utils", "version")}
)
INNER = frozenset(
    {f"torch.nn.{name}" for name in ("attention", "functional", "init", "parameter", "utils")}
    | {"torch.utils.cpp_extension", "torch.utils.dlpack"}
)
BELOW = (
    "under Paddle's proxy this sets the name on the proxy only, unseen by Paddle's own code, where "
    "{0} is imported (import {0}) anywhere; else it replaces what Paddle itself has"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name in module.names:
        node = name.node
        if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        owner = module.resolve(node.value) or ""
        if owner not in PROXIES | INNER or _only_where_it_lacks(module, node):
            continue
        said = BELOW.format(owner.rpartition(".")[0]) if owner in INNER else None
        yield Match(module.span(node), message=said, name=name.qualified)


def _only_where_it_lacks(module: Module, node: ast.Attribute) -> bool:
    """Whether it stands below `if not hasattr(owner, "name")` or `if "name" not in dir(owner)`."""
    for test in conditions(module, node):
        match test:
            case ast.UnaryOp(
                ast.Not(), ast.Call(ast.Name("hasattr"), [_, ast.Constant(asked)])
            ) | ast.Compare(ast.Constant(asked), [ast.NotIn()], [ast.Call(ast.Name("dir"))]) if (
                asked == node.attr
            ):
                return True
    return False
