"""Triton kernels that compiled functions launch, with what torch documents as not supported."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

COMPILE = ("torch.compile", "torch.compiler.compile")
WRAP = ("torch.library.wrap_triton", "torch._library.capture_triton")
MARKS = ("triton.jit", "triton.autotune", "triton.heuristics")
HEURISTICS = (
    "{kernel} is launched in a function that torch.compile compiles, which takes triton.heuristics "
    "below triton.autotune only (applied before it): under torch this falls back or fails; where "
    "the function runs eagerly both orders work"
)
ARGUMENT = (
    "{kernel} is launched in a function that torch.compile compiles, which documents configs and "
    "key as the arguments of triton.autotune that it takes: under torch `{argument}` may be "
    "refused; where the function runs eagerly it works"
)
SUBCLASS = (
    "{kernel} is launched in a function that torch.compile compiles, which does not take tensor "
    "subclasses there: make the launch a torch.library.triton_op where it may get one"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    functions = {node.name: node for node in module.nodes_of(ast.FunctionDef)}
    kernels = _find_launched_kernels(module, functions)
    for name in sorted(kernels):
        yield from _unsupported_decorators(module, functions[name])
    for node in module.nodes_of(ast.ClassDef) if kernels else ():
        if any(module.resolve(base) == "torch.Tensor" for base in node.bases):
            base = node.bases[0]
            text = SUBCLASS.format(kernel=min(kernels))
            yield Match(module.span(base), message=text, name="torch.Tensor")


def _unsupported_decorators(module: Module, kernel: ast.FunctionDef) -> Iterator[Match]:
    """What the decorators of a kernel have beyond the documented support, outermost first."""
    above: list[ast.expr] = []  # heuristics that no autotune stands above
    for decorator in kernel.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        name = module.resolve(decorator.func)
        if name == "triton.heuristics":
            above.append(decorator)
        if name != "triton.autotune":
            continue
        for each in above:
            text = HEURISTICS.format(kernel=kernel.name)
            yield Match(module.span(each), message=text, name="triton.heuristics")
        above = []
        for keyword in decorator.keywords:
            if keyword.arg not in ("configs", "key", None):
                text = ARGUMENT.format(kernel=kernel.name, argument=keyword.arg)
                yield Match(module.span(keyword), message=text, name=name)


def _find_launched_kernels(module: Module, functions: dict[str, ast.FunctionDef]) -> frozenset[str]:
    """The kernels that compiled functions of this file launch, also through functions that they
    call by name."""
    todo: list[ast.AST] = []
    for function in functions.values():
        marks = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
        if any(module.resolve(mark) in COMPILE for mark in marks):
            todo.append(function)
    for call in module.calls_to(frozenset(COMPILE)):
        for argument in call.args[:1]:
            if isinstance(argument, ast.Lambda):
                todo.append(argument)
            elif isinstance(argument, ast.Name) and argument.id in functions:
                todo.append(functions[argument.id])
    found, seen = set(), set()
    while todo:
        function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
                found |= _kernel(module, node.func.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                todo += [functions[node.func.id]] if node.func.id in functions else []
    return frozenset(n for n in found if n in functions and _is_kernel(module, functions[n]))


def _kernel(module: Module, launched: ast.expr) -> set[str]:
    """The name of what stands before a grid, also in wrap_triton(...)."""
    if isinstance(launched, ast.Call) and module.resolve(launched.func) in WRAP:
        return _kernel(module, launched.args[0]) if launched.args else set()
    return {launched.id} if isinstance(launched, ast.Name) else set()


def _is_kernel(module: Module, function: ast.FunctionDef) -> bool:
    """Whether it is a kernel: its decorators are Triton's."""
    marks = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    return any(module.resolve(mark) in MARKS for mark in marks)
