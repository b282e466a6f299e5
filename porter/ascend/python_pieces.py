"""What one Python file has of Ascend operators: meta functions, backward, converters, uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from porter.languages.python import Module
from porter.model import AscendPart

_FAKES = frozenset(("register_fake", "impl_abstract"))


@dataclass(frozen=True, slots=True)
class Said:
    """What a file says of one operator, `ns::op`, or of a name without a namespace."""

    part: AscendPart
    operator: str
    line: int
    form: str


def pieces(module: Module, test: bool) -> Iterator[Said]:
    """What a file says of operators, in no order."""
    for call in module.of(ast.Call):
        yield from _call(module, call)
    for function in module.of(ast.FunctionDef):
        yield from _decorated(module, function)
    for name in module.names:
        operator = operator_of(name.qualified)
        if operator is None:
            continue
        part = AscendPart.TEST if test else AscendPart.WRAPPER
        if _in_converter(module, name.node):
            continue
        around = _backward(module, name.node)
        if around:
            yield Said(AscendPart.AUTOGRAD, operator, name.node.lineno, around)
        yield Said(part, operator, name.node.lineno, "torch.ops")


def operator_of(qualified: str) -> str | None:
    """`ns::op` of `torch.ops.ns.op[.overload]`."""
    parts = qualified.split(".")
    return f"{parts[2]}::{parts[3]}" if parts[:2] == ["torch", "ops"] and len(parts) > 3 else None


def _call(module: Module, call: ast.Call) -> Iterator[Said]:
    """`lib.impl("op", f, "Meta")`, `lib.define("op(...)")`, torch.library functions."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not texts or isinstance(module.parents.get(call), ast.FunctionDef):
        return
    operator, line = texts[0].partition("(")[0].strip(), call.lineno
    if name == "impl" and len(texts) > 1:
        if texts[-1] == "Meta":
            yield Said(AscendPart.META, operator, line, "Library.impl")
        elif texts[-1].startswith("Autograd"):
            yield Said(AscendPart.AUTOGRAD, operator, line, "Library.impl")
    elif name in ("define", "custom_op") and "torch" in (module.qualified(call.func) or "torch"):
        yield Said(AscendPart.DEFINITION, operator, line, f"torch.library.{name}")
    elif name in _FAKES:
        yield Said(AscendPart.META, operator, line, name)
    elif name == "register_autograd":
        yield Said(AscendPart.AUTOGRAD, operator, line, name)


def _decorated(module: Module, function: ast.FunctionDef) -> Iterator[Said]:
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        callee = module.qualified(decorator.func) or ast.unparse(decorator.func)
        name = callee.rpartition(".")[2]
        first = decorator.args[0] if decorator.args else None
        texts = [
            a.value
            for a in decorator.args
            if isinstance(a, ast.Constant) and isinstance(a.value, str)
        ]
        line = decorator.lineno
        if name == "register_fx_node_ge_converter" and first is not None:
            operator = operator_of(module.qualified(first) or ast.unparse(first))
            if operator:
                yield Said(AscendPart.CONVERTER, operator, line, name)
        elif name in _FAKES and texts:
            yield Said(AscendPart.META, texts[0], line, name)
        elif name == "custom_op" and texts:
            yield Said(AscendPart.DEFINITION, texts[0], line, "torch.library.custom_op")
        elif name == "impl" and texts and texts[-1] == "Meta":
            operator = texts[0] if len(texts) > 1 else ""
            if operator:
                yield Said(AscendPart.META, operator, line, "torch.library.impl")
        elif name == "impl" and texts and texts[-1].startswith("Autograd") and len(texts) > 1:
            yield Said(AscendPart.AUTOGRAD, texts[0], line, "torch.library.impl")


def _backward(module: Module, node: ast.AST) -> str:
    """The name of the autograd function in whose forward a node stands."""
    while node in module.parents:
        node = module.parents[node]
        if isinstance(node, ast.ClassDef):
            bases = [module.qualified(b) or ast.unparse(b) for b in node.bases]
            if any(b.endswith("autograd.Function") or b == "Function" for b in bases) and any(
                isinstance(f, ast.FunctionDef) and f.name == "backward" for f in node.body
            ):
                return f"autograd.Function {node.name}"
    return ""


def _in_converter(module: Module, node: ast.AST) -> bool:
    while node in module.parents:
        node = module.parents[node]
        if isinstance(node, ast.Call):
            callee = ast.unparse(node.func).rpartition(".")[2]
            if callee == "register_fx_node_ge_converter":
                return True
    return False
