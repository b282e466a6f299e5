"""`import torchair`, `python -m torchnpugen...`, `from torch_npu.contrib import ...`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

REASONS = {
    "torchair": "torchair makes GE graphs of torch's: what imports it here is left to torch",
    "torchnpugen": (
        "entries for OpPlugin become operators of torch_npu itself: for Paddle the operator comes "
        "by a C++ extension that calls its ACLNN operator or launches its kernel"
    ),
    "torch_npu": (
        "this part of torch_npu is built on torch's own: what imports it here is left to torch"
    ),
}
ANSWERED = ("torch_npu.npu", "torch_npu.utils.cpp_extension")  # by the piece python/npu


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for name, alias, _ in module.imports:
        if _is_theirs(name):
            yield _make_match(module, alias, name)
    for node in module.nodes_of(ast.Constant):
        if isinstance(node.value, str) and node.value.startswith("torchnpugen."):
            yield _make_match(module, node, node.value)


def _is_theirs(name: str) -> bool:
    package = name.partition(".")[0]
    if package != "torch_npu":
        return package in REASONS
    known = any(f"{each}.".startswith(f"{name}.") for each in ANSWERED)
    return not known and not any(name.startswith(f"{each}.") for each in ANSWERED)


def _make_match(module: Module, node: ast.AST, name: str) -> Match:
    reason = REASONS[name.partition(".")[0]]
    return Match(module.span(node), message=f"{name}: {reason}", name=name)
