"""`cache[x.shape]`: a shape as a key, alone or in a tuple."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import imports_torch, is_in_device_function

ASKED = frozenset({"get", "setdefault", "pop", "add", "discard"})  # of a dict or set, by a key
CACHES = frozenset({"functools.lru_cache", "functools.cache"})
ARRAYS = ("numpy.", "np.", "cupy.", "jax.")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module):
        return
    attributes = module.attributes
    sizes = (module.parents[node] for node in attributes.get("size", ()))
    parts = (node for node in module.nodes_of(ast.Subscript) if type(node.slice) is ast.Slice)
    calls = (call for call in sizes if isinstance(call, ast.Call))
    for node in (*attributes.get("shape", ()), *calls, *parts):
        if not _is_shape(module, node):
            continue
        if not is_in_device_function(module, node) and _is_key(module, node):
            edits = Edit(module.start_of(node), b"tuple("), Edit(module.end_of(node), b")")
            yield Match(module.span(node), edits, name="torch.Size")


def _is_shape(module: Module, node: ast.expr) -> bool:
    """`x.shape`, `x.size()`, or some of their first or last."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice) and _is_shape(module, node.value)
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and node.func.attr == "size"
        return method and not node.args and not node.keywords and _is_tensor(module, node.func)
    shape = isinstance(node, ast.Attribute) and node.attr == "shape"
    return shape and isinstance(node.ctx, ast.Load) and _is_tensor(module, node)


def _is_tensor(module: Module, attribute: ast.expr) -> bool:
    """Not what another library surely made, nor a name of a module."""
    assert isinstance(attribute, ast.Attribute)
    made = module.call_behind(attribute.value) or ""
    return module.resolve(attribute) is None and not made.startswith(ARRAYS)


def _is_key(module: Module, node: ast.expr) -> bool:
    """Whether a value is hashed: a key itself, in a tuple that is one, or in a variable that is."""
    parent = module.parents[node]
    if isinstance(parent, ast.Subscript):
        return parent.slice is node and not _is_launch(module, parent)
    if isinstance(parent, ast.Dict):
        return node in parent.keys
    if isinstance(parent, ast.Set):
        return True
    if isinstance(parent, ast.Tuple):
        return _is_key(module, parent)
    if isinstance(parent, ast.Call):
        return node in parent.args and _hashes(module, parent, node)
    if isinstance(parent, ast.Compare):
        asked = parent.left is node and isinstance(parent.ops[0], ast.In | ast.NotIn)
        return asked and _is_written_by_key(module, parent.comparators[0])
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        return _becomes_key(module, parent.targets[0])
    return False


def _is_launch(module: Module, index: ast.Subscript) -> bool:
    """Whether `kernel[x.shape](...)` may be a launch of Triton's, which hashes no grid."""
    call = module.parents[index]
    launched = isinstance(call, ast.Call) and call.func is index
    return launched and any(name.partition(".")[0] == "triton" for name, _, _ in module.imports)


def _is_written_by_key(module: Module, table: ast.expr) -> bool:
    """Whether the file writes `table[key] = ...` or calls `table.add(key)`, or the like."""
    text = module.text(table)
    stores = (
        index.value for index in module.nodes_of(ast.Subscript) if isinstance(index.ctx, ast.Store)
    )
    methods = (node.value for name in ASKED for node in module.attributes.get(name, ()))
    return any(module.text(node) == text for node in (*stores, *methods))


def _hashes(module: Module, call: ast.Call, node: ast.expr) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr in ASKED and node is call.args[0] and len(call.args) <= 2
    if not isinstance(function, ast.Name):
        return False
    return function.id == "hash" or any(
        definition.name == function.id and _is_cached(module, definition)
        for definition in module.nodes_of(ast.FunctionDef)
    )


def _is_cached(module: Module, definition: ast.FunctionDef) -> bool:
    decorators = (d.func if isinstance(d, ast.Call) else d for d in definition.decorator_list)
    return any(module.resolve(decorator) in CACHES for decorator in decorators)


def _becomes_key(module: Module, target: ast.expr) -> bool:
    """Whether a variable that is given once is a key of something in its function."""
    if not isinstance(target, ast.Name):
        return False
    scope = module.function(target)
    if len(module.bindings(scope, target.id)) != 1:
        return False
    return any(
        name.id == target.id
        and isinstance(name.ctx, ast.Load)
        and module.function(name) is scope
        and _is_used_as_key(module, name)
        for name in module.nodes_of(ast.Name)
    )


def _is_used_as_key(module: Module, name: ast.Name) -> bool:
    parent = module.parents[name]
    if isinstance(parent, ast.Subscript):
        return parent.slice is name and not _is_launch(module, parent)
    return isinstance(parent, ast.Call) and name in parent.args and _hashes(module, parent, name)
