"""Imports and uses of names that Paddle's cpp_extension lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts, Safety

HOME = "torch.utils.cpp_extension"
LOCAL = "cpp_extension"
ELSE = {
    "COMMON_NVCC_FLAGS": "[]",
    "CUDNN_HOME": "None",
    "HIP_HOME": "None",
    "IS_HIP_EXTENSION": "False",
    "ROCM_HOME": "None",
    "ROCM_VERSION": "None",
    "_find_cuda_home": f"lambda: {HOME}.CUDA_HOME",
    "is_ninja_available": "lambda: False",
}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == HOME and not node.level:
            yield from _import(module, node)
    for used in module.names:
        name = used.qualified.removeprefix(f"{HOME}.")
        attribute = isinstance(used.node, ast.Attribute) and used.qualified.startswith(f"{HOME}.")
        if attribute and name in ELSE and not _is_stored(module, used.node):
            yield _attribute(module, used.node, name)


def _is_tried_alone(module: Module, node: ast.ImportFrom) -> bool:
    """Whether the import stands in a `try` that goes on without it, and loses no other import."""
    block = module.parents[node]
    if not isinstance(block, ast.Try) or node not in block.body:
        return False
    rest = block.body[block.body.index(node) + 1 :]
    caught = [ast.unparse(handler.type) if handler.type else "" for handler in block.handlers]
    goes_on = any(name in ("", "ImportError", "Exception") for name in caught)
    imports = any(isinstance(each, ast.Import | ast.ImportFrom | ast.ClassDef) for each in rest)
    raises = any(isinstance(n, ast.Raise) for h in block.handlers for n in ast.walk(h))
    return goes_on and not imports and not raises


def _attribute(module: Module, node: ast.Attribute, name: str) -> Match:
    known = {"instead": _getattr_call(module.text(node.value), name)}
    span = module.span(node)
    return Match(span, name=f"{HOME}.{name}", place=Place(span, known))


def _getattr_call(owner: str, name: str) -> str:
    return f'getattr({owner}, "{name}", {ELSE[name].replace(HOME, owner)})'


def _is_stored(module: Module, node: ast.Attribute) -> bool:
    """Whether the name is stored to."""
    return not isinstance(node.ctx, ast.Load)


def _import(module: Module, node: ast.ImportFrom) -> Iterator[Match]:
    gone = [alias for alias in node.names if alias.name in ELSE]
    if len(gone) == len(node.names) and _is_tried_alone(module, node):
        return
    if gone:
        known, name = _replacement(module, node, gone), f"{HOME}.{gone[0].name}"
        place = Place(module.span(node), known) if known else None
        safety = Safety.MANUAL if place is None else None
        yield Match(module.span(gone[0]), (), None, safety, name, place)


def _replacement(module: Module, node: ast.ImportFrom, gone: list[ast.alias]) -> dict[str, str]:
    """What the import goes without, the lines for what is used of that, and the import that these
    need, where it is not there; nothing where no such line can be written."""
    used = [alias for alias in gone if _is_used(module, alias)]
    here, bringing = HOME, f"import {HOME}"
    if _is_in_function(module, node):  # there it would make `torch` a name of the function's own
        here, bringing = LOCAL, f"from torch.utils import {LOCAL}"
        if any(isinstance(n, ast.Name) and n.id == LOCAL for n in module.nodes):
            return {}
    lines = [f"{a.asname or a.name} = {_getattr_call(here, a.name)}\n" for a in used]
    whole = len(gone) == len(node.names)
    lacks = whole or (bool(used) and (here == LOCAL or not _has_torch(module, node)))
    names = " ".join(alias.name for alias in gone)
    return {"gone": names, "lines": "".join(lines), "bringing": bringing if lacks else ""}


def _is_in_function(module: Module, node: ast.AST) -> bool:
    while (node := module.parents.get(node)) is not None:  # type: ignore[assignment]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return True
    return False


def _is_used(module: Module, alias: ast.alias) -> bool:
    """Whether the name is read in this file, or could be by another that imports it."""
    if module.path.rpartition("/")[2] != "setup.py":
        return True
    name = alias.asname or alias.name
    return any(isinstance(node, ast.Name) and node.id == name for node in module.nodes)


def _has_torch(module: Module, node: ast.stmt) -> bool:
    """Whether `import torch` stands above, at module level."""
    above = [other for other in module.tree.body if other.lineno < node.lineno]
    names = [a for other in above if isinstance(other, ast.Import) for a in other.names]
    return any(alias.name == "torch" and alias.asname is None for alias in names)
