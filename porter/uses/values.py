"""What is seen of a use beyond literals: variables, annotations, tensors, its fate."""

from __future__ import annotations

import ast
from dataclasses import replace

from porter.languages.python import Module
from porter.languages.python_tree import parameter
from porter.model import Given
from porter.surface import arguments
from porter.surface.classes import TENSOR
from porter.uses.floating import is_floating
from porter.uses.in_place import OF_TENSORS as ALONE
from porter.uses.members import is_dtype, receiver
from porter.uses.tensors import describe_fate, describe_tensor

ANNOTATED = {
    "int": "number whole ?",
    "float": "number ?",  # an int is one, too
    "bool": "number truth ?",
    "str": "text ?",
    "list": "sequence list ?",
    "tuple": "sequence ?",
}


OF_TENSORS = frozenset(  # functions whose first argument is a tensor, and no number
    f"torch.{name}"
    for name in (
        *("abs", "bmm", "clamp", "cos", "cumsum", "exp", "log", "matmul", "max", "mean", "min"),
        *("mm", "norm", "prod", "sigmoid", "sign", "sin", "softmax", "sqrt", "sum", "tanh"),
    )
)


def read_use(module: Module, node: ast.AST) -> Given | None:
    """The arguments of the call of a name or attribute, its receiver, and what becomes of what it
    gives; None for a name that is not called. Read once a node."""
    known, key = module.remembered, (read_use, node)
    if key not in known:
        known[key] = _read_use(module, node)
    given: Given | None = known[key]
    return given


def _read_use(module: Module, node: ast.AST) -> Given | None:
    call = module.parents.get(node)
    owner = node.value if isinstance(node, ast.Attribute) else None
    of_object = owner is not None and module.resolve(node) is None
    seen = f"{arguments.TENSOR} {_describe(module, owner)}" if of_object and owner else ""
    if isinstance(call, ast.Call) and call.func is node:
        found = arguments.read_arguments(call, lambda value: _look(module, value))
        return replace(found, receiver=seen.rstrip(), fate=describe_fate(module, call))
    if isinstance(node, ast.expr) and is_annotation(module, node):
        return Given(fate=arguments.ANNOTATED, called=False)
    if not of_object or not isinstance(node, ast.expr):
        return None
    return Given(receiver=seen.rstrip(), fate=describe_fate(module, node), called=False)


def is_annotation(module: Module, node: ast.AST) -> bool:
    """Whether it is, or is a part of, the annotation of an argument, result or variable; not
    `x | y`, which is worked out."""
    for outer in module.ancestors(node):
        if isinstance(outer, ast.BinOp):
            return False
        if isinstance(outer, ast.arg):
            return True
        if isinstance(outer, ast.AnnAssign | ast.FunctionDef | ast.AsyncFunctionDef):
            noted = outer.annotation if isinstance(outer, ast.AnnAssign) else outer.returns
            return noted is node
        if isinstance(outer, ast.stmt | ast.Call):
            return False
        node = outer
    return False


def _look(module: Module, node: ast.expr) -> str:
    kind = _look_at_kind(module, node)
    return f"{kind} {_describe(module, node)}".strip() if kind in ("", arguments.TENSOR) else kind


def _describe(module: Module, node: ast.expr) -> str:
    """What is known of a tensor beside that it is one."""
    floating = "floating" if is_floating(module, node) else ""
    return f"{floating} {describe_tensor(module, node)}".strip()


def _look_at_kind(module: Module, node: ast.expr) -> str:
    if _is_indexed_as_a_tensor(node) or _is_of_tensors(node) or receiver(module, node) == TENSOR:
        return arguments.TENSOR
    if is_dtype(module, node):
        return "dtype"
    if not isinstance(node, ast.Name):
        return ""
    scope = module.function(node)
    argument, values = parameter(scope, node.id), module.bindings(scope, node.id)
    if argument is None and len(values) == 1 and isinstance(values[0], ast.expr):
        seen = _describe_value(module, node, values[0])
        return seen or (arguments.TENSOR if _is_used_as_a_tensor(module, node) else "")
    if argument is not None and not values and argument.annotation is not None:
        if (module.resolve(argument.annotation) or "").startswith("numpy."):
            return "array"
        return ANNOTATED.get(getattr(argument.annotation, "id", ""), "")
    return arguments.TENSOR if _is_used_as_a_tensor(module, node) else ""


def _describe_value(module: Module, node: ast.Name, value: ast.expr) -> str:
    """What is seen of the one value of a variable, which may be a variable in turn."""
    known, key = module.remembered, (_describe_value, module.function(node), node.id)
    if key not in known:
        known[key] = ""  # of what is made of itself
        known[key] = arguments.describe(value, lambda inner: _look(module, inner))
    found: str = known[key]
    return found


def _is_of_tensors(node: ast.expr) -> bool:
    """Whether it is `x.grad`, or a method that only tensors have and that gives one."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in ALONE
    return isinstance(node, ast.Attribute) and node.attr in ("grad", "data")


def _is_indexed_as_a_tensor(node: ast.expr) -> bool:
    """Whether it is `x[:, None]`: of no Python object, and no number."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    several = len(parts) > 1 and any(isinstance(part, ast.Slice) for part in parts)
    return several or any(isinstance(p, ast.Constant) and p.value in (None, ...) for p in parts)


def _is_used_as_a_tensor(module: Module, name: ast.Name) -> bool:
    """Whether its function also passes it to what takes tensors only."""
    if (_passed_tensors,) not in module.remembered:
        module.remembered[_passed_tensors,] = _passed_tensors(module)
    passed: dict[tuple[ast.AST, str], list[ast.Name]] = module.remembered[_passed_tensors,]
    return any(other is not name for other in passed.get((module.function(name), name.id), ()))


def _passed_tensors(module: Module) -> dict[tuple[ast.AST, str], list[ast.Name]]:
    """The names that are passed to what takes tensors only, by function and name."""
    found: dict[tuple[ast.AST, str], list[ast.Name]] = {}
    for call in module.nodes_of(ast.Call):
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Name) and module.resolve(call.func) in OF_TENSORS:
            found.setdefault((module.function(first), first.id), []).append(first)
    return found
