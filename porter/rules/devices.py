"""What a Python file says about the devices that it runs on."""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from porter import targets
from porter.languages.python import Module
from porter.model import ProjectFacts

_NPU = re.compile(r"(?:^|_)npu(?:$|_|:)", re.IGNORECASE)
_OTHER = re.compile(r"nvidia", re.IGNORECASE)
_CUDA = re.compile(r"cuda(:[0-9]+)?\Z")
_NAMED = re.compile(r"npu(:[0-9]+)?")


def is_transferred(module: Module, facts: ProjectFacts) -> bool:
    """Whether another device's module is in the place of torch.cuda where a file runs: it, what it
    imports, or a module beside it in its package or folder imports what puts it there."""
    imported = [name for name, _, _ in module.imports]
    modules = tuple(f"{redirect}." for redirect in targets.redirects())
    if any(f"{name}.".startswith(modules) for name in imported):
        return True
    for path in facts.transferred:
        whole = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if any(f"{name}.".startswith(f"{whole}.") for name in imported):
            return True
        folder = _reach(path, facts)
        if folder and module.path.startswith(f"{folder}/"):
            return True
    return False


def _reach(path: str, facts: ProjectFacts) -> str:
    """The folder in which nothing runs without a module: its package, else its own folder; that of
    a test is not known, nor that of a script at the root."""
    folder, _, name = path.rpartition("/")
    if name.startswith("test_") or name.endswith("_test.py"):
        return ""
    packages = [p.path for p in facts.packages if p.path and path.startswith(f"{p.path}/")]
    return min(packages, key=len, default=folder)


def names_npu(module: Module) -> bool:
    """Whether a file has a device "npu" of its own: what it compares with "cuda" is told apart."""
    if (names_npu,) not in module.remembered:
        module.remembered[names_npu,] = any(
            isinstance(node.value, str) and _NAMED.fullmatch(node.value)
            for node in module.nodes_of(ast.Constant)
        )
    return bool(module.remembered[names_npu,])


def not_for_npu(module: Module, node: ast.AST) -> bool:
    """Whether a node is reached only where a test for an NPU says no, or one for something else
    says yes (for "cuda", in a file with an "npu" of its own), or stands beside such a test: the
    file goes its own way where there is an NPU."""
    own = names_npu(module)
    for inner, outer in pairwise((node, *module.ancestors(node))):
        if isinstance(outer, ast.If | ast.IfExp) and inner is not outer.test:
            then = outer.body if isinstance(outer, ast.If) else [outer.body]
            test, denied = outer.test, inner not in then
            while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                test, denied = test.operand, not denied
            if denied and _asks(test, _NPU):
                return True
            if not denied and (_asks(test, _OTHER) or (own and _asks(test, _CUDA))):
                return True
        if own and isinstance(inner, ast.stmt) and _is_after_assert(outer, inner):
            return True
        if isinstance(outer, ast.FunctionDef) and "cuda" in outer.name:
            other = outer.name.replace("cuda", "npu")
            if any(function.name == other for function in module.nodes_of(ast.FunctionDef)):
                return True
        if isinstance(outer, ast.If) and inner not in outer.orelse and _npu_follows(outer):
            return True
        if isinstance(outer, ast.BoolOp):
            others = [value for value in outer.values if value is not inner]
            kind = _OTHER if isinstance(outer.op, ast.And) else _NPU  # x.is_cuda or x.is_npu
            if any(_asks(value, kind) for value in others):
                return True
    return False


def _is_after_assert(outer: ast.AST, inner: ast.stmt) -> bool:
    """Whether a statement comes after `assert device == "cuda"` in its block."""
    for block in (getattr(outer, "body", None), getattr(outer, "orelse", None)):
        if isinstance(block, list) and inner in block:
            before = block[: block.index(inner)]
            return any(isinstance(s, ast.Assert) and _asks(s.test, _CUDA) for s in before)
    return False


def _npu_follows(branch: ast.If) -> bool:
    """`if device == "cuda": ... elif device == "npu": ...`"""
    if _asks(branch.test, _NPU):
        return False
    while len(branch.orelse) == 1 and isinstance(following := branch.orelse[0], ast.If):
        if _asks(following.test, _NPU):
            return True
        branch = following
    return False


def _asks(test: ast.expr, what: re.Pattern[str]) -> bool:
    for node in ast.walk(test):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)):
                if what.search(name):
                    return True
    return False
