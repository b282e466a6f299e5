"""The base of porter's own codemods, and what they have in common.

Imported by codemods alone: it needs LibCST, which takes a tenth of a second to load; its matchers
and its own codemods, which nothing here needs, would take another one and a half.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TypeVar

import libcst as cst
from libcst.helpers import get_full_name_for_node, parse_template_expression
from libcst.metadata import ByteSpanPositionProvider

from porter.languages.python import Module
from porter.model import Form, Match, ProjectFacts
from porter.rules.codemods import CODE, FACTS, FORM, PLACES, Context
from porter.rules.portion import Portion, first_import, lines_around, portion, statements_around
from porter.rules.trees import wrapper_class

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Expression = TypeVar("Expression", bound=cst.BaseExpression)
BLANK = cst.EmptyLine(indent=False)
CLOSED = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)


class Directed(cst.MetadataDependent):
    """A codemod that knows what the rule's finder found, and what is known of the project."""

    module: cst.Module  # the part of the module that is transformed

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.places: Mapping[tuple[int, int], Mapping[str, str]] = context.scratch[PLACES]
        self.facts: ProjectFacts = context.scratch[FACTS]
        self.form: Form = context.scratch[FORM]

    @classmethod
    def needs(cls, module: Module, matches: Sequence[Match]) -> Portion | None:
        """The part of the file that tells what it changes; None: all."""
        return None

    def transform_module(self, tree: cst.Module) -> cst.Module:
        """Run as LibCST does, but on the tree itself: one that was parsed has each node once."""
        wrapper = wrapper_class()(self.part(tree), unsafe_skip_copy=True)
        self.module = wrapper.module
        with self.resolve(wrapper):
            return self.transform_module_impl(tree)

    @abstractmethod
    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Return the changed module."""

    def part(self, tree: cst.Module) -> cst.Module:
        """The part of the module that metadata are needed of."""
        return tree

    def statements(self, text: str) -> list[Statement]:
        """Return the statements of a text."""
        return [*cst.parse_module(text, self.module.config_for_parsing).body]

    def expression(self, template: str, **parts: cst.BaseExpression | str) -> cst.BaseExpression:
        """Return the expression of a text in which `{name}` stands for a part."""
        config = self.module.config_for_parsing
        nodes = {
            name: cst.parse_expression(part, config) if isinstance(part, str) else part
            for name, part in parts.items()
        }
        return parse_template_expression(template, config, **nodes)


class Rewrite(Directed, cst.CSTTransformer):
    """A codemod that changes the nodes which the rule's finder named, and no others. It has
    `visit_` and `leave_` methods: not the decorators of LibCST's matchers."""

    METADATA_DEPENDENCIES = (ByteSpanPositionProvider,)
    EVERYWHERE = False  # also in statements of the module in which nothing was named
    ALONE = False  # changes an expression or a small statement by what is in it
    IMPORTS = ""  # a package: leave_Module only adds to the first import of it
    _others: frozenset[cst.CSTNode] = frozenset()
    _beginning: Mapping[int, Mapping[str, str]] | None = None  # what is known, by where it begins

    @classmethod
    def needs(cls, module: Module, matches: Sequence[Match]) -> Portion | None:
        own = cls.leave_Module is not Rewrite.leave_Module and not cls.IMPORTS
        if cls.EVERYWHERE or own or cls.visit_Module is not Rewrite.visit_Module:
            return None
        spans = [match.place.span for match in matches if match.place]
        spans += first_import(module, cls.IMPORTS)
        alone = lines_around(module, spans) if cls.ALONE else None
        return alone or portion(module, statements_around(module, spans))

    def part(self, tree: cst.Module) -> cst.Module:
        if self.EVERYWHERE:
            return tree
        header, *sizes = (len(code.encode()) for code in self.context.scratch[CODE][:-1])
        at, end = header, 0
        named: list[cst.BaseCompoundStatement | cst.SimpleStatementLine] = []
        places: dict[tuple[int, int], Mapping[str, str]] = {}
        known = sorted(self.places, reverse=True)
        for statement, size in zip(tree.body, sizes, strict=True):
            inside: list[tuple[int, int]] = []
            while known and known[-1][0] < at + size:
                inside.append(known.pop())
            if inside:
                places |= {(start - at + end, n): self.places[start, n] for start, n in inside}
                named.append(statement)
                end += size
            at += size
        self.places, self._others = places, frozenset(tree.body) - frozenset(named)
        return tree.with_changes(header=(), footer=(), body=named)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        return tree.visit(self)

    def on_visit(self, node: cst.CSTNode) -> bool:
        return node not in self._others and super().on_visit(node)

    def facts_of(self, node: cst.CSTNode) -> Mapping[str, str] | None:
        """Return what the finder knows of a node of the original tree; None if it did not name
        that node. A statement is known by where it begins."""
        span = self.get_metadata(ByteSpanPositionProvider, node, None)
        if span is None:
            return None
        if isinstance(node, cst.BaseSmallStatement | cst.BaseCompoundStatement):
            if self._beginning is None:
                self._beginning = {at: known for (at, _), known in [*self.places.items()][::-1]}
            return self._beginning.get(span.start)
        return self.places.get((span.start, span.length))


class RewriteCall(Rewrite):
    """A codemod that writes other expressions for calls."""

    ALONE = True

    def rewrite(self, call: cst.Call, known: Mapping[str, str]) -> cst.BaseExpression:
        """Return what to write for a call, whose own parentheses are taken off and put back."""
        raise NotImplementedError

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        known = self.facts_of(original_node)
        if known is None:
            return updated_node
        new = self.rewrite(bare(updated_node), known)
        return new.with_changes(
            lpar=(*updated_node.lpar, *new.lpar), rpar=(*new.rpar, *updated_node.rpar)
        )


def bare(node: Expression) -> Expression:
    """An expression without the parentheses around it."""
    return node.with_changes(lpar=(), rpar=())


def parenthesize(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(
        lpar=(cst.LeftParen(), *node.lpar), rpar=(*node.rpar, cst.RightParen())
    )


def operand(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression that any operator can stand beside."""
    return node if node.lpar or isinstance(node, CLOSED) else parenthesize(node)


def has_comment(*nodes: cst.CSTNode | cst.MaybeSentinel) -> bool:
    return any(isinstance(n, cst.CSTNode) and _holds_comment(n) for n in nodes)


def _holds_comment(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Comment) or any(map(_holds_comment, node.children))


def wrap_in_try(
    line: cst.SimpleStatementLine, handler: str, statement: cst.BaseSmallStatement
) -> cst.Try:
    """A statement in a `try`, with another one where it raises."""
    body = line.with_changes(leading_lines=())
    rest = cst.SimpleStatementLine((statement,))
    return cst.Try(
        body=cst.IndentedBlock((body,)),
        handlers=(cst.ExceptHandler(cst.IndentedBlock((rest,)), cst.Name(handler)),),
        leading_lines=line.leading_lines,
    )


def add_argument(call: cst.Call, argument: cst.Arg) -> cst.Call:
    """A call with one argument more, in a line of its own where the last one is; the same call
    where a comment would stand at another argument then."""
    *others, last = call.args
    space = beginning(call)
    end = last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else None
    comma = cst.Comma(whitespace_after=space)
    added = argument.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
    if has_comment(last.whitespace_after_arg):
        return call
    if isinstance(end, cst.ParenthesizedWhitespace):
        if isinstance(space, cst.ParenthesizedWhitespace):
            comma = cst.Comma(whitespace_after=end.with_changes(last_line=space.last_line))
        elif has_comment(end):
            return call
        end = end.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
        added = added.with_changes(comma=cst.Comma(whitespace_after=end))
    last = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=(*others, last, added))


def beginning(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """What stands before an argument of a call: a line break where its last one has it."""
    if len(call.args) > 1 and isinstance(comma := call.args[-2].comma, cst.Comma):
        space = comma.whitespace_after
    else:
        space = call.whitespace_before_args
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
    return cst.SimpleWhitespace(" ")


def prepend_elements(items: cst.List, values: Sequence[cst.BaseExpression]) -> cst.List:
    """A list with other values before its own, each in a line where the first one has one."""
    space: cst.BaseParenthesizableWhitespace = cst.SimpleWhitespace(" ")
    if isinstance(items.lbracket.whitespace_after, cst.ParenthesizedWhitespace):
        space = items.lbracket.whitespace_after.with_changes(
            first_line=cst.TrailingWhitespace(), empty_lines=()
        )
    comma = cst.Comma(whitespace_after=space)
    added = [cst.Element(value, comma=comma) for value in values]
    return items.with_changes(elements=(*added, *items.elements))


def insert_at_import(
    tree: cst.Module, package: str, added: Sequence[Statement], *, above: bool = False
) -> cst.Module:
    """A module with statements below (or above) its first import of a package or of something in
    it; the same module where it has none at its own level."""
    body = [*tree.body]
    for index, line in enumerate(body):
        if isinstance(line, cst.SimpleStatementLine) and _imports(line.body[0], package):
            if above:
                added = [added[0].with_changes(leading_lines=line.leading_lines), *added[1:]]
                body[index] = line.with_changes(leading_lines=())
            body[index + (not above) : index + (not above)] = added
            return tree.with_changes(body=body)
    return tree


def _imports(statement: cst.BaseSmallStatement, package: str) -> bool:
    names: list[cst.BaseExpression | None] = []
    if isinstance(statement, cst.Import):
        names = [alias.name for alias in statement.names]
    elif isinstance(statement, cst.ImportFrom) and not statement.relative:
        names = [statement.module]
    found = (get_full_name_for_node(name) or "" for name in names if name is not None)
    return any(f"{name}.".startswith(f"{package}.") for name in found)


def remove_argument(call: cst.Call, index: int) -> cst.Call:
    """A call without one of its arguments but the first; the same call where a comment would go
    with it."""
    before, gone = call.args[index - 1], call.args[index]
    if has_comment(before.comma, before.whitespace_after_arg):
        return call
    kept = before.with_changes(comma=gone.comma, whitespace_after_arg=gone.whitespace_after_arg)
    return call.with_changes(args=(*call.args[: index - 1], kept, *call.args[index + 1 :]))
