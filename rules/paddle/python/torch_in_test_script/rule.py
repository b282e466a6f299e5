"""The first foreign import of a test file in which pytest finds no test that it could run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Form, Match, ProjectFacts
from porter.rules.guard import brings_torch, enables_proxy, foreign_import, is_main
from porter.targets.paddle import PROXY

BY_PACKAGE = (
    "run as a script, this file reads no conftest.py, nor is it seen by a plugin of pytest: import "
    "porter_compat above this line, the first that may import torch, or run it by "
    "`python -m porter_compat`"
)
ALONE = (
    "run as a script, this file reads no conftest.py, nor is one beside it: enable Paddle's proxy "
    "above this line, the first that may import torch, or run it from a process that has"
)
FOLDERS = {"test", "tests", "unittest", "unittests", "unit_tests", "testing"}


def check(module: Module, facts: ProjectFacts, form: Form) -> Iterator[Match]:
    first = next(filter(None, map(foreign_import, module.tree.body)), None)
    if first is None or not facts.uses_torch or enables_proxy(module, PROXY):
        return
    imports_it = any(name.partition(".")[0] == "conftest" for name, _, _ in module.imports)
    statements = module.tree.body
    if imports_it or not any(map(is_main, statements)) or any(map(_is_test, statements)):
        return
    if any(brings_torch(module, facts, statement) for statement in statements):
        beside = _has_conftest(module.path.rpartition("/")[0], facts)
        vendored = None if beside else ALONE
        yield Match(module.span(first), message=vendored if form.is_vendored else BY_PACKAGE)


def _has_conftest(folder: str, facts: ProjectFacts) -> bool:
    """Whether a folder has a conftest.py, or gets one: the outermost of tests that have none."""
    above = [path.rpartition("/")[0] for path in facts.conftests]
    if any(not other or f"{folder}/".startswith(f"{other}/") for other in above):
        return folder in above
    inner = any(part.lower() in FOLDERS for part in folder.split("/")[:-1])
    return not inner and any(test.startswith(f"{folder}/") for test in facts.tests)


def _is_test(node: ast.stmt) -> bool:
    """Whether pytest may run it: a test in a class, or one whose arguments someone else gives."""
    if isinstance(node, ast.ClassDef):
        return any(getattr(member, "name", "").startswith("test") for member in node.body)
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    required = len(node.args.args) > len(node.args.defaults)
    given = any("pytest" in ast.dump(decorator) for decorator in node.decorator_list)
    return node.name.startswith("test") and (given or not required)
