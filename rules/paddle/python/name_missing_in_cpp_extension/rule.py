"""Imports and uses of names that Paddle's cpp_extension lacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Safety, Span

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
NO_ANSWER = {
    "CUDA_GCC_VERSIONS",
    "TORCH_LIB_PATH",
    "get_compiler_abi_compatibility_and_version",
    "include_paths",
    "library_paths",
    "load_inline",
    "verify_ninja_availability",
}
OF_THE_UNIT = {"include_paths", "library_paths", "load_inline"}  # which a build script has not
NOT_HERE = "Paddle's cpp_extension does not have {}, and no form of it means the same to both"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == HOME and not node.level:
            yield from _import(module, node)
    for used in module.names:
        name = used.qualified.removeprefix(f"{HOME}.").partition(".")[0]
        whole = used.qualified == f"{HOME}.{name}"
        if isinstance(used.node, ast.Attribute) and used.qualified.startswith(f"{HOME}."):
            if _is_lost(module, name):
                yield _report(module, used.node, name)
            elif name in ELSE and whole and not _asked_for(module, used.node):
                yield _attribute(module, used.node, name)


def _is_lost(module: Module, name: str) -> bool:
    build = module.path.rpartition("/")[2] == "setup.py"
    return name in NO_ANSWER and (build or name not in OF_THE_UNIT)


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
    owner = module.text(node.value)
    text = f'getattr({owner}, "{name}", {ELSE[name].replace(HOME, owner)})'
    return Match(module.span(node), (module.replace(node, text),), name=f"{HOME}.{name}")


def _asked_for(module: Module, node: ast.Attribute) -> bool:
    """Whether the name is stored to."""
    return not isinstance(node.ctx, ast.Load)


def _report(module: Module, node: ast.AST, name: str) -> Match:
    message = NOT_HERE.format(name)
    return Match(module.span(node), (), message, Safety.MANUAL, f"{HOME}.{name}")


def _import(module: Module, node: ast.ImportFrom) -> Iterator[Match]:
    gone = [alias for alias in node.names if alias.name in ELSE]
    if len(gone) == len(node.names) and _is_tried_alone(module, node):
        return
    for alias in node.names:
        if _is_lost(module, alias.name):
            yield _report(module, alias, alias.name)
    if gone:
        safety = None if (edits := _without(module, node, gone)) else Safety.MANUAL
        yield Match(module.span(gone[0]), edits, None, safety, f"{HOME}.{gone[0].name}")


def _without(module: Module, node: ast.ImportFrom, gone: list[ast.alias]) -> tuple[Edit, ...]:
    """The import without these names, and after the imports a line for each that is used."""
    block, end = _imports_from(module, node), module.span(node).end
    line = module.data[end : _next_line(module, node)]
    if block is None or line.strip().startswith(b";"):
        return ()
    used = [alias for alias in gone if _is_used(module, alias)]
    here, bringing = HOME, f"import {HOME}"
    if _in_function(module, node):  # there it would make `torch` a name of the function's own
        here, bringing = LOCAL, f"from torch.utils import {LOCAL}"
        if any(isinstance(n, ast.Name) and n.id == LOCAL for n in module.nodes):
            return ()
    lines = [
        f'{a.asname or a.name} = getattr({here}, "{a.name}", {ELSE[a.name].replace(HOME, here)})\n'
        for a in used
    ]
    indent = " " * node.col_offset
    edits = list(_removed(module, node, gone, bringing))
    if any(b"#" in module.data[edit.span.start : edit.span.end] for edit in edits):
        return ()
    if used and len(gone) < len(node.names) and (here == LOCAL or not _has_torch(module, node)):
        at = _next_line(module, node)
        edits.append(Edit(Span(at, at), module.encode(f"{indent}{bringing}\n")))
    if used:
        at = _next_line(module, block)
        blank = "" if indent else "\n"
        text = blank + "".join(indent + line for line in lines)
        if edits[-1].span == Span(at, at):
            text = edits.pop().text.decode(module.encoding).replace("\r\n", "\n") + text
        edits.append(Edit(Span(at, at), module.encode(text)))
    return tuple(edits)


def _in_function(module: Module, node: ast.AST) -> bool:
    while (node := module.parents.get(node)) is not None:  # type: ignore[assignment]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return True
    return False


def _removed(
    module: Module, node: ast.ImportFrom, gone: list[ast.alias], bringing: str
) -> Iterator[Edit]:
    if len(gone) == len(node.names):
        yield module.replace(node, bringing)
        return
    spans = [module.span(alias) for alias in node.names]
    last_kept = max(i for i, alias in enumerate(node.names) if alias not in gone)
    for index, alias in enumerate(node.names):
        if alias in gone and index < last_kept:
            yield Edit(Span(spans[index].start, spans[index + 1].start), b"")
    if last_kept < len(spans) - 1:
        yield Edit(Span(spans[last_kept].end, spans[-1].end), b"")


def _imports_from(module: Module, node: ast.ImportFrom) -> ast.stmt | None:
    """The last import of the run of imports that a statement is in."""
    parent = module.parents[node]
    for field in ("body", "orelse", "finalbody"):
        body = getattr(parent, field, [])
        if isinstance(body, list) and node in body:
            last: ast.stmt = node
            for statement in body[body.index(node) + 1 :]:
                if not isinstance(statement, ast.Import | ast.ImportFrom):
                    break
                last = statement
            return last
    return None


def _next_line(module: Module, node: ast.stmt) -> int:
    newline = module.data.find(b"\n", module.span(node).end)
    return len(module.data) if newline == -1 else newline + 1


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
