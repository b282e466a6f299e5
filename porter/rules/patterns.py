"""The declarative `[find]` of a rule, made into a finder."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages import cmake, cpp, toml
from porter.languages.cpp import Kind
from porter.languages.python import Module
from porter.languages.read import Document
from porter.model import Edit, Form, Match, ProjectFacts, Span
from porter.rules.evidence import is_asked_for
from porter.rules.rule import Check


def python_name(names: frozenset[str], replace: str | None) -> Check:
    """Uses of qualified names, and their imports.

    `replace` is the new qualified name, spelt with the alias that the use itself
    has for its top package; or a text in which `{torch}` stands for that alias.
    An import of the name itself is reported, not edited: its uses have no alias.
    """

    def check(document: Document, facts: ProjectFacts, form: Form) -> Iterator[Match]:
        assert isinstance(document, Module)
        for qualified, alias, _ in document.imports:
            if qualified in names:
                yield Match(document.span(alias), name=qualified)
        for used in document.names:
            node, wanted = _part(used.qualified, used.node, names)
            if node is None or not isinstance(node, ast.Attribute):
                continue
            if is_asked_for(document, node, node.attr):  # where it is missing this is not run
                continue
            new = spelling(document, node, wanted, replace) if replace else None
            edits = (document.replace(node, new),) if new else ()
            yield Match(document.span(node), edits, name=wanted)

    return check


def python_call(names: frozenset[str], replace: str | None, whole: str | None) -> Check:
    """Calls of qualified names: the callee is replaced; `whole`: a call without arguments is."""

    def check(document: Document, facts: ProjectFacts, form: Form) -> Iterator[Match]:
        assert isinstance(document, Module)
        for qualified, call in document.calls():
            if qualified not in names:
                continue
            bare = not call.args and not call.keywords
            text, node = (whole, call) if whole else (replace, call.func)
            new = None
            if text and isinstance(call.func, ast.Attribute) and (bare or not whole):
                new = spelling(document, call.func, qualified, text)
            edits = (document.replace(node, new),) if new else ()
            yield Match(document.span(call), edits, name=qualified)

    return check


def spelling(module: Module, node: ast.Attribute, qualified: str, new: str) -> str | None:
    """How the file would write another qualified name, with the alias that `node` begins with.

    None where that alias does not lead to the new name and no other of the file does.
    """
    root: ast.expr = node
    while isinstance(root, ast.Attribute):
        root = root.value
    origin = module.resolve(root)
    if not isinstance(root, ast.Name) or origin is None:
        return None
    if "{torch}" in new:
        return new.replace("{torch}", root.id) if origin == "torch" else None
    if new.startswith(origin + "."):
        return root.id + new[len(origin) :]
    if origin.partition(".")[0] != new.partition(".")[0]:
        return None
    return _plain_import(module, node, new)


def _plain_import(module: Module, node: ast.expr, new: str) -> str | None:
    """`new` itself where its top package is bound under its own name at this place."""
    top = new.partition(".")[0]
    return new if module.origin(top, node) == top else None


def _part(qualified: str, node: ast.expr, names: frozenset[str]) -> tuple[ast.expr | None, str]:
    """The part of a dotted chain that is one of the names, and which one."""
    part: ast.expr = node
    name = qualified
    while name not in names:
        if not isinstance(part, ast.Attribute):
            return None, ""
        part, name = part.value, name.rpartition(".")[0]
    return part, name


def cpp_tokens(pattern: tuple[str, ...], replace: str | None) -> Check:
    """Tokens in a row, not as the tail of a longer qualified name."""

    def check(document: Document, facts: ProjectFacts, form: Form) -> Iterator[Match]:
        assert isinstance(document, cpp.Unit)
        for first in document.find(*pattern):
            if pattern[0] != "::" and _continues(document, first):
                continue
            last = first + len(pattern) - 1
            span = Span(document.tokens[first].span.start, document.tokens[last].span.end)
            joined = document.text(first, last).split() == "".join(pattern).split()
            edits = (Edit(span, document.encode(replace)),) if replace and joined else ()
            yield Match(span, edits, name="".join(pattern))

    return check


def _continues(unit: cpp.Unit, first: int) -> bool:
    """Whether the token before binds what follows to something else: `x::`, `x.`, `x->`."""
    before = unit.tokens[first - 1].text if first else ""
    if before == "::":
        return first > 1 and unit.tokens[first - 2].kind is Kind.NAME
    return before in (".", "->")


def cpp_include(headers: frozenset[str], replace: str | None) -> Check:
    """#include lines of these headers; the new one keeps the brackets."""

    def check(document: Document, facts: ProjectFacts, form: Form) -> Iterator[Match]:
        assert isinstance(document, cpp.Unit)
        for header, token in document.includes:
            if header not in headers:
                continue
            inner = Span(token.span.start + 1, token.span.end - 1)
            edits = (Edit(inner, document.encode(replace)),) if replace else ()
            yield Match(token.span, edits, name=header)

    return check


def cmake_command(name: str, first: frozenset[str]) -> Check:
    """Commands of a name, with one of these first arguments if any are given."""

    def check(document: Document, facts: ProjectFacts, form: Form) -> Iterator[Match]:
        assert isinstance(document, cmake.Document)
        for command in document.calls_to(name):
            argument = command.arguments[0].value if command.arguments else ""
            if not first or argument in first:
                yield Match(command.span, name=argument or None)

    return check


def toml_requirement(names: frozenset[str]) -> Check:
    """Requirements on these distributions."""

    def check(document: Document, facts: ProjectFacts, form: Form) -> Iterator[Match]:
        assert isinstance(document, toml.Document)
        for requirement in document.requirements_on(*names):
            yield Match(requirement.span, name=requirement.name)

    return check
