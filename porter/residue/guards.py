"""What code already provides for: a name that is asked for first, or whose absence is caught."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from porter.residue.resolve import Place
from porter.targets import TARGETS

IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
ATTRIBUTE_ERRORS = frozenset({"AttributeError", "Exception", "BaseException"})


@cache
def _words() -> frozenset[str]:
    """Names and strings by which a condition asks for another framework than torch."""
    return frozenset({"PORTER_FRAMEWORK"}).union(*(t.words for t in TARGETS.values()))


def is_guarded(place: Place, name: str) -> bool:
    """Whether a use of a name is reached only where its absence was thought of.

    That is: below an `if` that asks for the target or with hasattr for the name; in a `try`
    whose handler catches the error; below `if TYPE_CHECKING`; in an annotation that is not
    evaluated. Code that catches an error from a missing name works without it, or it says so.
    """
    words = set(name.split("."))
    chain = (*place.around, place.node)
    for outer, inner in pairwise(chain):
        if isinstance(outer, ast.If | ast.IfExp | ast.While):
            if inner is not outer.test and _asks_for(outer.test, words):
                return True
        elif isinstance(outer, ast.BoolOp):
            before = outer.values[: _index(outer.values, inner)]
            if any(_asks_for(value, words) for value in before):
                return True
        elif isinstance(outer, ast.Try) and inner in outer.body:
            if _is_caught(outer.handlers, place.node) and not _skips_imports(outer, inner):
                return True
        elif (
            isinstance(outer, ast.With)
            and inner in outer.body
            and _is_suppressed(outer, place.node)
        ):
            return True
    return _not_evaluated(chain)


def _index(values: Sequence[ast.expr], node: ast.AST) -> int:
    return next((k for k, value in enumerate(values) if value is node), 0)


def _asks_for(test: ast.expr, words: set[str]) -> bool:
    for node in ast.walk(test):
        if isinstance(node, ast.Name) and (node.id in _words() or node.id == "TYPE_CHECKING"):
            return True
        if isinstance(node, ast.Attribute) and node.attr == "TYPE_CHECKING":
            return True
        if isinstance(node, ast.Constant) and node.value in _words():
            return True
        if isinstance(node, ast.Call) and _call_name(node) in ("hasattr", "find_spec", "getattr"):
            texts = {a.value for a in node.args if isinstance(a, ast.Constant)}
            asked = {w for t in texts if isinstance(t, str) for w in t.split(".")}
            if asked & words - {"torch"}:
                return True
    return False


def _call_name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_caught(handlers: Sequence[ast.ExceptHandler], node: ast.AST) -> bool:
    errors = _errors(node)
    return any(h.type is None or _names(h.type) & errors for h in handlers)


def _skips_imports(block: ast.Try, inner: ast.AST) -> bool:
    """Whether the imports below one that fails are lost with it, and nothing stands in for them."""
    imports = (ast.Import, ast.ImportFrom)
    after = block.body[block.body.index(inner) + 1 :] if isinstance(inner, imports) else []
    handled = [node for handler in block.handlers for node in handler.body]
    replaced = any(isinstance(n, (ast.Assign, ast.Raise, ast.Return, *imports)) for n in handled)
    return bool(after) and all(isinstance(node, imports) for node in after) and not replaced


def _errors(node: ast.AST) -> frozenset[str]:
    return IMPORT_ERRORS if isinstance(node, ast.alias) else ATTRIBUTE_ERRORS


def _names(node: ast.expr) -> set[str]:
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {p.attr if isinstance(p, ast.Attribute) else getattr(p, "id", "") for p in parts}


def _is_suppressed(node: ast.With, inside: ast.AST) -> bool:
    for item in node.items:
        call = item.context_expr
        if not isinstance(call, ast.Call) or _call_name(call) != "suppress":
            continue
        if {n for a in call.args for n in _names(a)} & _errors(inside):
            return True
    return False


def _not_evaluated(chain: Sequence[ast.AST]) -> bool:
    """An annotation of a file with `from __future__ import annotations`."""
    in_annotation = any(
        (isinstance(outer, ast.arg | ast.AnnAssign) and inner is outer.annotation)
        or (isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) and inner is outer.returns)
        for outer, inner in pairwise(chain)
    )
    module = chain[0]
    return in_annotation and isinstance(module, ast.Module) and _postpones_annotations(module)


def _postpones_annotations(module: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in module.body
    )
