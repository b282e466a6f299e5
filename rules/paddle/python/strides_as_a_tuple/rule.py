"""`x.stride() == (3, 1)`: all strides of a tensor where only a tuple does."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import defines_attribute, imports_torch, method_calls

COMPARING = frozenset({"assertEqual", "assertNotEqual", "assertTupleEqual"})
KEYED = frozenset({"hash", "get", "setdefault", "pop", "add", "discard"})  # by a key


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module) or defines_attribute(module, "stride"):
        return
    for call in method_calls(module, "stride"):
        node = _add_slice(module, call)
        if not call.args and not call.keywords and _wants_a_tuple(module, node):
            edits = Edit(module.start_of(node), b"tuple("), Edit(module.end_of(node), b")")
            yield Match(module.span(node), edits, name="torch.Tensor.stride")


def _add_slice(module: Module, call: ast.expr) -> ast.expr:
    parent = module.parents[call]
    sliced = isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Slice)
    return parent if sliced and isinstance(parent, ast.expr) else call


def _wants_a_tuple(module: Module, node: ast.expr) -> bool:
    """Whether strides stand beside what is surely a tuple, or are hashed; what a variable holds may
    be the strides of another tensor, which Paddle's are equal to as they are."""
    parent = module.parents[node]
    if isinstance(parent, ast.Compare):
        others = [each for each in (parent.left, *parent.comparators) if each is not node]
        return any(_is_tuple(module, other) for other in others)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add):
        return _is_tuple(module, parent.right if parent.left is node else parent.left)
    if isinstance(parent, ast.Tuple):
        return _wants_a_tuple(module, parent) and not isinstance(module.parents[parent], ast.BinOp)
    if isinstance(parent, ast.Subscript):
        return parent.slice is node
    if isinstance(parent, ast.Dict):
        return node in parent.keys
    if isinstance(parent, ast.Call) and parent.args:
        name = getattr(parent.func, "attr", getattr(parent.func, "id", ""))
        both = parent.args[:2]
        compared = name in COMPARING and any(_is_tuple(module, e) for e in both if e is not node)
        return (node in both and compared) or (node is both[0] and name in KEYED)
    return False


def _is_tuple(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        given = module.bindings(module.function(node), node.id)
        value = given[0] if len(given) == 1 else None
        return isinstance(value, ast.Tuple)
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(node, ast.Tuple) or (isinstance(called, ast.Name) and called.id == "tuple")
