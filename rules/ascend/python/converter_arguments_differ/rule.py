"""A converter that lacks arguments of its operator's schema, or a default where that has one."""

import ast
from collections.abc import Iterator

from porter.ascend.python_pieces import operator_of
from porter.ascend.schemas import Argument, arguments
from porter.languages.python import Module
from porter.model import Match, ProjectFacts

FEW = "{} takes {} of the operator's arguments, and its schema has {}: {}"
KEYWORD = "{} has no parameter {}, which the operator takes by keyword"
DEFAULT = "{} has no default for {}: calls that leave it out, as the schema allows, fail here"
MORE = "{} asks for {}, which the operator's schema does not have"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    schemas = {o.name: o.schema for o in facts.ascend.operators} if facts.ascend else {}
    for function in module.nodes_of(ast.FunctionDef):
        if function.args.vararg is not None or function.args.kwarg is not None:
            continue
        for decorator in function.decorator_list:
            known = arguments(schemas.get(_operator(module, decorator), ""))
            if known and (said := _wrong(function, known)):
                yield Match(module.span(decorator), message=said)


def _operator(module: Module, decorator: ast.expr) -> str:
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return ""
    if ast.unparse(decorator.func).rpartition(".")[2] != "register_fx_node_ge_converter":
        return ""
    first = decorator.args[0]
    return operator_of(module.resolve(first) or ast.unparse(first)) or ""


def _wrong(function: ast.FunctionDef, known: tuple[Argument, ...]) -> str:
    given, name = function.args, function.name
    positional = [a.arg for a in (*given.posonlyargs, *given.args) if a.arg != "meta_outputs"]
    optional = set(positional[len(positional) - len(given.defaults) :]) if given.defaults else set()
    if len(given.defaults) and (*given.posonlyargs, *given.args)[-1].arg == "meta_outputs":
        kept = len(given.defaults) - 1
        optional = set(positional[len(positional) - kept :]) if kept else set()
    optional |= {a.arg for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d}
    everything = {*positional, *(a.arg for a in given.kwonlyargs)}
    expected = [a for a in known if not a.keyword]
    if len(positional) < len(expected):
        names = ", ".join(a.name for a in expected)
        return FEW.format(name, len(positional), len(expected), names)
    for one, own in zip(expected, positional, strict=False):
        if one.has_default and own not in optional:
            return DEFAULT.format(name, own)
    for own in positional[len(expected) :]:
        if own not in optional and own not in {a.name for a in known}:
            return MORE.format(name, own)
    missing = [a.name for a in known if a.keyword and a.name not in everything]
    return KEYWORD.format(name, missing[0]) if missing else ""
