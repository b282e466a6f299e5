"""The first statement, in a script that reaches torch, that may import it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.guard import brings_torch, enables_proxy, first_loading, guard, is_main
from porter.targets.paddle import PROXY

SETTINGS = ("logging", "os", "sys", "warnings")  # sys.path.insert(...), which modules call, too
NO_SCRIPTS = ("__init__.py", "docs/conf.py", "source/conf.py")  # the latter two: Sphinx's
SCRIPT = "this script imports {}: enable Paddle's proxy {}, or run it from a process that has"
ABOVE = "above `{}`, which may import torch, too"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if enables_proxy(module, PROXY) or module.path.endswith(NO_SCRIPTS) or not _is_script(module):
        return
    for statement in module.tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom | ast.Try):
            continue
        name = brings_torch(module, facts, statement)
        if name is None:
            continue
        where = "before it"
        what = name if name == "torch" else f"{name}, of this repository, which imports torch"
        place, node = first_loading(module) or (statement, statement)
        if place.lineno < statement.lineno:
            where = ABOVE.format(module.text(node).partition("\n")[0])
        said = SCRIPT.format(what, where)
        yield replace(guard(module, place), span=module.span(statement), message=said)
        return


def _is_script(module: Module) -> bool:
    """Whether a file does something when it is run; with relative imports it can be run only as
    a module, which says so by `if __name__ ...`."""
    body = module.tree.body
    if any(isinstance(each, ast.ImportFrom) and each.level for each in body):
        return any(map(is_main, body))
    return any(_runs(module, statement) for statement in body)


def _runs(module: Module, statement: ast.stmt) -> bool:
    """Whether a statement of a module is what a program does: `if __name__ ...`, a call, a loop."""
    if isinstance(statement, ast.For | ast.While | ast.With):
        return True
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return is_main(statement)
    return (module.resolve(statement.value.func) or "").partition(".")[0] not in SETTINGS
