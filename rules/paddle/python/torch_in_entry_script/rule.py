"""The first import, in a script, of torch or of a package of this repository."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts, Style
from porter.rules.guard import enabled, guard, imports_package


def check(module: Module, facts: ProjectFacts, style: Style) -> Iterator[Match]:
    if enabled(module) or not any(_runs(statement) for statement in module.tree.body):
        return
    packages = {"torch"} | {package.name.partition(".")[0] for package in facts.packages}
    for statement in module.tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom | ast.Try):
            continue
        if any(imports_package(node, p) for node in ast.walk(statement) for p in packages):
            yield guard(module, statement, style)
            return


def _runs(statement: ast.stmt) -> bool:
    """Whether a statement of a module is what a program does: `if __name__ ...`, a call, a loop."""
    if isinstance(statement, ast.If):
        return "__name__" in ast.dump(statement.test)
    if isinstance(statement, ast.For | ast.While | ast.With):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
