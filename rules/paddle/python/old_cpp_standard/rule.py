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
            if newer != text and not _by_version(module, node):
                yield Match(module.span(node), (module.replace(node, newer),))


def _by_version(module: Module, node: ast.AST) -> bool:
    """Whether the script chooses this flag by torch's version itself."""
    while node in module.parents:
        node = module.parents[node]
        if isinstance(node, ast.If | ast.IfExp) and depends_on_torch_version(module, node.test):
            return True
    return False
