"""The first import, in a script, of torch or of a package of this repository."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from porter.languages.python import Module
from porter.model import Match, ProjectFacts, Style
from porter.rules.guard import enabled, guard, imports_package

SETTINGS = ("logging", "os", "sys", "warnings")  # sys.path.insert(...), which modules call, too
OF_OWN = (
    "this script imports {}, of this repository: where that needs torch, enable Paddle's proxy "
    "before it, or run it from a process that has"
)


def check(module: Module, facts: ProjectFacts, style: Style) -> Iterator[Match]:
    if enabled(module) or module.path.endswith("__init__.py"):
        return
    if not any(_runs(module, statement) for statement in module.tree.body):
        return
    own = dict.fromkeys(package.name.partition(".")[0] for package in facts.packages)
    for statement in module.tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom | ast.Try):
            continue
        for package in ("torch", *own):
            if any(imports_package(node, package) for node in ast.walk(statement)):
                said = None if package == "torch" else OF_OWN.format(package)
                yield replace(guard(module, statement, style), message=said)
                return


def _runs(module: Module, statement: ast.stmt) -> bool:
    """Whether a statement of a module is what a program does: `if __name__ ...`, a call, a loop."""
    if isinstance(statement, ast.If):
        return "__name__" in ast.dump(statement.test)
    if isinstance(statement, ast.For | ast.While | ast.With):
        return True
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    return (module.qualified(statement.value.func) or "").partition(".")[0] not in SETTINGS
