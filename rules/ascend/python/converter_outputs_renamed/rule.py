"""`@register_fx_node_ge_converter(op)` over `def f(x, outputs=None)`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span

NAME = "meta_outputs"
MEANT = ("meta", "output")


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for function in module.nodes_of(ast.FunctionDef):
        arguments = function.args
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        given = [a for a in names if a.arg == NAME]
        if given or arguments.kwarg is not None or not _converts(function):
            continue
        last = names[-1] if names else None
        edits: tuple[Edit, ...] = ()
        if last is not None and any(mark in last.arg for mark in MEANT):
            edits = tuple(_rename(module, function, last))
        yield Match(module.span(last or function.decorator_list[0]), edits)


def _converts(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(d, ast.Call)
        and ast.unparse(d.func).rpartition(".")[2] == "register_fx_node_ge_converter"
        for d in function.decorator_list
    )


def _rename(module: Module, function: ast.FunctionDef, parameter: ast.arg) -> Iterator[Edit]:
    start = module.span(parameter).start
    yield Edit(Span(start, start + len(parameter.arg.encode())), NAME.encode())
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == parameter.arg:
            yield module.replace(node, NAME)
