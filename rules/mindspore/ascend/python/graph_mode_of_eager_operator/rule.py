"""`set_context(mode=GRAPH_MODE)` in a file that uses an operator that is registered for PyNative
mode alone, or such a use in a function under `@jit`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import AscendPart, Match, ProjectFacts

USES = (AscendPart.WRAPPER, AscendPart.TEST)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    eager = {
        operator.name
        for operator in (facts.ascend.operators if facts.ascend else ())
        if "graph mode" in operator.lacks
        and any(p.part in USES and p.path == module.path for p in operator.pieces)
    }
    if not eager:
        return
    for name, call in module.calls():
        modes = [k.value for k in call.keywords if k.arg == "mode"]
        of_framework = name.startswith("mindspore.") and name.endswith("set_context")
        if of_framework and any(_is_graph(module, mode) for mode in modes):
            yield Match(module.span(call), name=min(eager))
    for function in module.nodes_of(ast.FunctionDef):
        if any(_is_jit(module, decorator) for decorator in function.decorator_list):
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name):
                    called = getattr(call.func, "attr", getattr(call.func, "id", ""))
                    if called in eager:
                        yield Match(module.span(call.func), name=called)


def _is_graph(module: Module, value: ast.expr) -> bool:
    constant = isinstance(value, ast.Constant) and value.value == 0 and value.value is not False
    return constant or (module.resolve(value) or "").endswith(".GRAPH_MODE")


def _is_jit(module: Module, decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (module.resolve(target) or "") in ("mindspore.jit", "mindspore.common.jit")
