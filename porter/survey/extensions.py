"""The native extensions a build script states, read from its syntax and never executed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from porter.languages.python import Module
from porter.languages.python_tree import callee, last_name
from porter.model import Extension
from porter.survey.constants import DEPTH, Constants

NOT_EXTENSIONS = {"BuildExtension"}
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def find(module: Module, paths: Iterable[str] = ()) -> tuple[Extension, ...]:
    """Every extension the script makes, in source order.

    `paths` are the repository's files, to answer glob patterns. What cannot be read
    off the text is left empty; nothing is guessed.
    """
    finder = _Finder(module, tuple(paths))
    return tuple(sorted(finder.extensions(), key=lambda e: (e.path, e.line)))


def keyword(module: Module, function: str, name: str) -> str | None:
    """A keyword of a call (`setup(name=...)`), where its text is plain."""
    value = next(_find_keyword_values(module, function, name), None)
    return Constants(module, ()).text(value) if value is not None else None


def mapping(module: Module, function: str, name: str) -> dict[str, str]:
    """The plain entries of a keyword that is a dict of strings (`package_dir={"": "src"}`)."""
    reader = Constants(module, ())
    found: dict[str, str] = {}
    for given in _find_keyword_values(module, function, name):
        if isinstance(given, ast.Dict):
            for key, value in zip(given.keys, given.values, strict=True):
                pair = reader.text(key) if key else None, reader.text(value)
                if pair[0] is not None and pair[1] is not None:
                    found[pair[0]] = pair[1]
    return found


def _find_keyword_values(module: Module, function: str, name: str) -> Iterator[ast.expr]:
    """What calls of a function give for a keyword."""
    calls = (call for call in module.nodes_of(ast.Call) if callee(call) == function)
    return (k.value for call in calls for k in call.keywords if k.arg == name)


class _Finder:
    """Finds the calls that make an extension, and what they are given."""

    def __init__(self, module: Module, paths: tuple[str, ...]) -> None:
        self.module = module
        self.constants = Constants(module, paths)

    def extensions(self) -> Iterator[Extension]:
        for call in self.module.nodes_of(ast.Call):
            kind = self.kind(call.func)
            if kind is not None:
                yield self._extension(call, kind)

    def kind(self, function: ast.expr, depth: int = 0) -> str | None:
        """The extension class a callee stands for, through aliases and conditional choices."""
        qualified = self.module.resolve(function)
        name = qualified.rpartition(".")[2] if qualified else last_name(function)
        if name.endswith("Extension") and name not in NOT_EXTENSIONS and name != "Extension":
            return name
        if isinstance(function, ast.Name) and depth < DEPTH:
            kinds = {
                kind
                for value in self.constants.values.get(function.id, ())
                for choice in _choices(value)
                if isinstance(choice, ast.Name | ast.Attribute)
                and (kind := self.kind(choice, depth + 1)) is not None
            }
            if kinds:
                return "|".join(sorted(kinds))
        return name if name == "Extension" else None

    def _extension(self, call: ast.Call, kind: str) -> Extension:
        name = _argument(call, 0, "name")
        sources = _argument(call, 1, "sources")
        return Extension(
            name=(self.constants.text(name) or "") if name is not None else "",
            kind=kind,
            sources=self.constants.files(sources) if sources is not None else (),
            path=self.module.path,
            line=call.lineno,
            repeated=self._is_repeated(call),
            positional=bool(call.args),
        )

    def _is_repeated(self, node: ast.AST) -> bool:
        """In a loop, or in a function that is called in a loop or more than once."""
        for outer in self.module.ancestors(node):
            if isinstance(outer, _LOOPS):
                return True
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
                every = self.module.nodes_of(ast.Call)
                calls = [call for call in every if getattr(call.func, "id", "") == outer.name]
                return len(calls) > 1 or any(self._is_repeated(call) for call in calls)
        return False


def _choices(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _choices(node.body)
        yield from _choices(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _choices(value)
    else:
        yield node


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    for argument in call.keywords:
        if argument.arg == name:
            return argument.value
    before = call.args[: position + 1]
    if len(before) <= position or any(isinstance(a, ast.Starred) for a in before):
        return None
    return before[position]
