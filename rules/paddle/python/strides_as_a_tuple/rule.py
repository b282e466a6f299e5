"""`x.stride() == (3, 1)`: all strides of a tensor where only a tuple does."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import defines_attribute, imports_torch, method_calls

COMPARING = frozenset({"assertEqual", "assertNotEqual", "assertTupleEqual"})
KEYED = frozenset({"get", "setdefault", "pop", "add", "discard"})  # of a dict or set, by a key


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module) or defines_attribute(module, "stride"):
        return
    for call in method_calls(module, "stride"):
        node = _with_slice(module, call)
        if not call.args and not call.keywords and _wants_a_tuple(module, node):
            edits = Edit(module.before(node), b"tuple("), Edit(module.after(node), b")")
            yield Match(module.span(node), edits, name="torch.Tensor.stride")


def _with_slice(module: Module, call: ast.expr) -> ast.expr:
    parent = module.parents[call]
    sliced = isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Slice)
    return parent if sliced and isinstance(parent, ast.expr) else call


def _wants_a_tuple(module: Module, node: ast.expr) -> bool:
    parent = module.parents[node]
    if isinstance(parent, ast.Compare):
        others = [each for each in (parent.left, *parent.comparators) if each is not node]
        return not all(map(_is_list, others))
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add):
        other = parent.right if parent.left is node else parent.left
        return isinstance(other, ast.Tuple) or _is_made_a(other, "tuple")
    if isinstance(parent, ast.Tuple):
        return _wants_a_tuple(module, parent) and not isinstance(module.parents[parent], ast.BinOp)
    if isinstance(parent, ast.Subscript):
        return parent.slice is node
    if isinstance(parent, ast.Dict):
        return node in parent.keys
    if isinstance(parent, ast.Call) and parent.args and isinstance(parent.func, ast.Attribute):
        name, first = parent.func.attr, parent.args[0]
        compared = name in COMPARING and not all(map(_is_list, parent.args[:2]))
        return node in parent.args[:2] and (compared or (name in KEYED and node is first))
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id == "hash"
    )


def _is_list(node: ast.expr) -> bool:
    """Strides too, or a list, that Paddle's equal as torch's strides do not."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and _is_list(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "stride" and not node.args
    return isinstance(node, ast.List | ast.ListComp) or _is_made_a(node, "list")


def _is_made_a(node: ast.expr, kind: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kind
