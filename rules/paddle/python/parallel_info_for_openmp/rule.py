"""Imports and calls of torch.__config__.parallel_info."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts

NAME = "torch.__config__.parallel_info"
ANSWER = '"ATen parallel backend: OpenMP"'
FALLBACK = f"""\
try:
    {{0}}
except ImportError:  # Paddle has no torch.__config__

    def {{1}}():
        return {ANSWER}
"""


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for qualified, alias, statement in module.imports:
        if qualified == NAME and not _asks_first(module, statement):
            yield Match(module.span(alias), tuple(_guarded(module, alias, statement)), name=NAME)
    for call in module.calls_to({NAME}):
        if isinstance(call.func, ast.Attribute) and not _asks_first(module, call):
            yield _conditional(module, call)


def _guarded(module: Module, alias: ast.alias, statement: ast.stmt) -> Iterator[Edit]:
    """The import in a try, where it is a statement of its own at module level."""
    alone = len(statement.names) == 1  # type: ignore[attr-defined]
    if alone and module.parents[statement] is module.tree and not statement.col_offset:
        text = FALLBACK.format(module.text(statement), alias.asname or alias.name)
        span = module.span(statement)
        rest = module.data[span.end : module.data.find(b"\n", span.end)]
        if not rest.strip():
            blank = "" if module.data[span.end :].lstrip(b"\r\n ")[:1] == b"" else "\n"
            above = "" if module.data[: span.start].endswith((b"\n\n", b"\n\r\n")) else "\n"
            above = above if span.start else ""
            yield Edit(span, module.encode(above + text.rstrip("\n") + blank))


def _conditional(module: Module, call: ast.Call) -> Match:
    owner = module.text(call.func.value)  # type: ignore[attr-defined]
    top = owner.rpartition(".")[0]
    edits: tuple[Edit, ...] = ()
    if top:
        text = f'({module.text(call)} if hasattr({top}, "__config__") else {ANSWER})'
        edits = (module.replace(call, text),)
    return Match(module.span(call), edits, name=NAME)


def _asks_first(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a conditional that asks for the attribute, or in a try."""
    while node in module.parents:
        node = module.parents[node]
        if isinstance(node, ast.Try):
            return True
        if isinstance(node, ast.IfExp | ast.If) and "hasattr" in ast.dump(node.test):
            return True
    return False
