"""CUDAExtension calls whose sources are all stated, and none of them is CUDA."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to({"torch.utils.cpp_extension.CUDAExtension"}):
        sources = _sources(module, call)
        defined = "PADDLE_WITH_CUDA" in module.text(call)
        if sources and not defined and not any(s.endswith(".cu") for s in sources):
            yield Match(module.span(call))


def _sources(module: Module, call: ast.Call) -> list[str]:
    """The sources as texts; none where any of them is not written out."""
    given = [k.value for k in call.keywords if k.arg == "sources"] or call.args[1:2]
    if given and isinstance(given[0], ast.Name):
        name = given[0].id
        made = module.bindings(module.function(call), name)
        made = made or module.bindings(module.tree, name)
        given = [value for value in made if value is not None] if len(made) == 1 else []
    if not given or not isinstance(given[0], ast.List | ast.Tuple):
        return []
    values = [getattr(item, "value", None) for item in given[0].elts]
    texts = [value for value in values if isinstance(value, str)]
    return texts if len(texts) == len(values) else []
