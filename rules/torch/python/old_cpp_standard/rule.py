"""-std=c++14 and older among the flags of an extension."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import depends_on_torch_version

OLD = re.compile(r"(?<![\w-])(-{1,2}std=(?:c|gnu)\+\+)(?:98|03|0x|11|1y|14|1z)(?!\w)")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if b"cpp_extension" not in module.data:
        return
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = module.text(node)
            newer = OLD.sub(r"\g<1>17", text)
            if newer != text and not _chooses_flag(module, node):
                yield Match(module.span(node), (module.replace(node, newer),))


def _chooses_flag(module: Module, node: ast.AST) -> bool:
    """Whether the script chooses this flag by torch's version, or for a builder of others."""
    while node in module.parents:
        inner, node = node, module.parents[node]
        if isinstance(node, ast.If | ast.IfExp) and depends_on_torch_version(module, node.test):
            return True
        if isinstance(node, ast.If) and inner is not node.test:
            branch = node.body if inner in node.body else node.orelse
            if any(_imports_other_builder(statement) for statement in branch):
                return True
    return False


def _imports_other_builder(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.ImportFrom) or not statement.module:
        return False
    builder = any(alias.name.endswith("Extension") for alias in statement.names)
    return builder and statement.module.partition(".")[0] not in ("torch", "setuptools")
