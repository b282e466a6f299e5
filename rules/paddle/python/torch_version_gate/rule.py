"""Comparisons of torch's version: true on Paddle for a reason that has nothing to do with torch."""

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import (
    TORCH_VERSION,
    conditions,
    depends_on_torch_version,
    is_below_torch_2,
    is_for_torch_1,
)

OTHER_DEVICES = frozenset({"mps", "npu", "mlu", "musa", "tpu", "xla", "hpu", "xpu"})
MAJOR = re.compile(r"(?<![\w.])(\d+)(?=\.|, \d)")  # of '1.11.0', of (1, 11)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    asked = (*module.nodes_of(ast.Compare), *module.nodes_of(ast.Call))
    gates = [node for node in asked if _is_gate(module, node)]
    outer = [gate for gate in gates if module.parents.get(gate) not in gates]
    for gate in sorted(outer, key=module.span):
        if _is_of_torch_1(gate) or is_for_torch_1(module, gate) or _is_major_1(module, gate):
            continue
        if not _is_for_another_device(module, gate):
            yield Match(module.span(gate), name=TORCH_VERSION)


def _is_gate(module: Module, node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(isinstance(operator, ast.In | ast.Is | ast.IsNot) for operator in node.ops):
            return False
        same = any(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops)
        if same and not any(_is_number(side) for side in sides):
            return False
        return any(depends_on_torch_version(module, side) for side in sides)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "startswith" and depends_on_torch_version(module, node.func.value)
    return False


def _is_of_torch_1(gate: ast.AST) -> bool:
    """Whether Paddle's 3.x answers as every torch 2.x does."""
    majors = MAJOR.findall(ast.unparse(gate))
    return bool(majors) and all(int(major) < 2 for major in majors)


def _is_major_1(module: Module, gate: ast.AST) -> bool:
    """Whether the major number is compared with 1, which neither torch 2.x nor Paddle has."""
    one = isinstance(gate, ast.Compare) and ast.unparse(gate.comparators[-1]) == "1"
    return one and isinstance(gate, ast.Compare) and is_below_torch_2(module, gate)


def _is_number(value: ast.expr) -> bool:
    """Whether a version is written out: no other framework's name, no version kept elsewhere."""
    written = isinstance(value, ast.Constant | ast.Tuple | ast.List | ast.Call)
    return written and any(map(str.isdigit, ast.unparse(value)))


def _is_for_another_device(module: Module, gate: ast.AST) -> bool:
    """Whether a gate is asked only for a device that Paddle has not as torch does: in a file for
    it, or where a test names it."""
    asked = [module.path, *map(ast.unparse, conditions(module, gate))]
    return any(OTHER_DEVICES & set(re.split(r"[^a-z]+", text.lower())) for text in asked)
