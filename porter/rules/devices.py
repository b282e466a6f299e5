"""What a Python file says about the devices that it runs on."""

from __future__ import annotations

import ast
import re

from porter.languages.python import Module

_NPU = re.compile(r"(?:^|_)npu(?:$|_|:)", re.IGNORECASE)


def not_for_npu(module: Module, node: ast.AST) -> bool:
    """Whether a node is reached only where a test for an NPU says no: the file goes its own way
    where there is one."""
    inner = node
    while (outer := module.parents.get(inner)) is not None:
        if isinstance(outer, ast.If | ast.IfExp) and inner is not outer.test:
            then = outer.body if isinstance(outer, ast.If) else [outer.body]
            test, denied = outer.test, inner not in then
            while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                test, denied = test.operand, not denied
            if denied and _asks_for_npu(test):
                return True
        inner = outer
    return False


def _asks_for_npu(test: ast.expr) -> bool:
    for node in ast.walk(test):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)):
                if _NPU.search(name):
                    return True
    return False
