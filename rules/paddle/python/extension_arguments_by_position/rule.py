"""Calls of torch's extension classes, directly or through a variable that holds one of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Safety, Span

CLASSES = {"torch.utils.cpp_extension.CppExtension", "torch.utils.cpp_extension.CUDAExtension"}
PARAMETERS = ("name", "sources", "include_dirs", "define_macros", "undef_macros", "library_dirs")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    holders = _holders(module)
    for node in module.nodes:
        if not isinstance(node, ast.Call) or not node.args:
            continue
        func = node.func
        held = isinstance(func, ast.Name) and func.id in holders
        name = module.qualified(func)
        if not held and name not in CLASSES:
            continue
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            yield Match(module.span(node), safety=Safety.MANUAL, name=name)
        elif len(node.args) <= len(PARAMETERS):
            yield Match(module.span(node), tuple(_keywords(module, node)), name=name)


def _keywords(module: Module, call: ast.Call) -> Iterator[Edit]:
    for name, argument in zip(PARAMETERS, call.args, strict=False):
        yield Edit(_start(module, call, argument), f"{name}=".encode())


def _start(module: Module, call: ast.Call, argument: ast.expr) -> Span:
    """Before an argument and the parentheses around it, which the tree leaves out."""
    start = module.span(argument).start
    opening = module.span(call.func).end
    while True:
        text = module.data[:start].rstrip()
        if not text.endswith(b"(") or not module.data[opening : len(text) - 1].strip():
            return Span(start, start)
        start = len(text) - 1


def _holders(module: Module) -> frozenset[str]:
    """Variables of the file that are only ever assigned one of the classes."""
    values: dict[str, list[ast.expr | None]] = {}
    for node in module.nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    values.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.arg):
            values.setdefault(node.arg, []).append(None)
    return frozenset(n for n, given in values.items() if all(_is_class(module, v) for v in given))


def _is_class(module: Module, value: ast.expr | None) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_class(module, value.body) and _is_class(module, value.orelse)
    return value is not None and module.qualified(value) in CLASSES
