"""An extension of another class than NpuExtension whose sources use torch_npu's library, which
nothing of the script names to the linker."""

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import AscendPart, Match, ProjectFacts

CLASSES = frozenset(
    (
        "torch.utils.cpp_extension.CppExtension",
        "setuptools.Extension",
        "setuptools.extension.Extension",
    )
)
LINKED = re.compile(rb"-ltorch_npu\b|[\"']torch_npu[\"']|libtorch_npu")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None or LINKED.search(module.data):
        return
    using = set(facts.ascend.including) | {
        piece.path
        for operator in facts.ascend.operators
        for piece in operator.pieces
        if piece.part is AscendPart.CALL
    }
    folder = module.path.rpartition("/")[0]
    within = f"{folder}/" if folder else ""
    for call in module.calls_to(CLASSES):
        if any(f"{within}{source}" in using for source in _sources(call)):
            yield Match(module.span(call.func))


def _sources(call: ast.Call) -> Iterator[str]:
    """The sources that are written out."""
    given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "sources")]
    for value in given:
        if isinstance(value, ast.List | ast.Tuple):
            for each in value.elts:
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.value
