"""Which modules of pieces only define things, and so can be imported at their first use."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator, Mapping

_ACTING = {"setattr", "delattr", "getattr", "hasattr", "dir", "vars", "globals"} | {
    "exec",
    "eval",
    "print",
    "open",
    "__import__",
}
_DEFINING = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)


def deferred(sources: Mapping[str, str]) -> set[str]:
    """The modules, by name and source, that nothing needs before one of their names is used."""
    bodies = {name: ast.parse(source).body for name, source in sources.items()}
    now = {name for name, body in bodies.items() if not _only_defines(body)}
    ahead = [*now]
    while ahead:
        needed = {*_imported(bodies[ahead.pop()])} & bodies.keys() - now
        now |= needed
        ahead += needed
    return {*bodies} - now


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The modules beside it that a module imports when it is imported."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield node.module or ""


def _only_defines(body: Iterable[ast.stmt]) -> bool:
    """Whether importing a module does nothing that other modules can see, or that depends on when
    it is done: its statements define names, calling Python's own functions at most."""
    pure = {*dir(builtins)} - _ACTING
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            pure |= set(_standard(node))
    return all(
        _is_constant(node) if isinstance(node, ast.Expr) else _defines(node, pure) for node in body
    )


def _is_constant(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant)


def _standard(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The names by which a statement imports something of the standard library, but for modules
    that give access to the process."""
    for alias in node.names:
        module = node.module if isinstance(node, ast.ImportFrom) else alias.name
        root = (module or "").partition(".")[0]
        if root in sys.stdlib_module_names - {"sys", "os", "atexit", "types", "importlib"}:
            yield alias.asname or alias.name.partition(".")[0]


def _defines(node: ast.stmt, pure: set[str]) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else []
    named = all(isinstance(each, ast.Name | ast.Tuple) for each in targets)
    torchs = isinstance(node, ast.Import | ast.ImportFrom) and "torch" in ast.unparse(node).split()
    return (
        isinstance(node, _DEFINING)
        and named
        and not torchs
        and all(_root(called) in pure for called in _called_now(node))
    )


def _called_now(node: ast.AST) -> Iterator[ast.expr]:
    """What is called when a statement is run, and which members of its classes are read,
    which other pieces replace: not what the functions in it call when they are."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        inner: list[ast.AST] = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    else:
        inner = [*ast.iter_child_nodes(node)]
    if isinstance(node, ast.Call):
        yield node.func
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
        yield from [node] if node.value.attr in ("Tensor", "Layer") else []
    for each in inner:
        yield from _called_now(each)


def _root(called: ast.expr) -> str:
    """The name that a called function is reached from; of a literal, its type's."""
    while isinstance(called, ast.Attribute | ast.Call):
        called = called.value if isinstance(called, ast.Attribute) else called.func
    if isinstance(called, ast.Constant):
        return "str"
    return called.id if isinstance(called, ast.Name) else ""
