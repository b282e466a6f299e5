"""A parsed Python file: its nodes, and their bytes in the file."""

from __future__ import annotations

import ast
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any, TypeVar

from porter.languages.python_imports import absolute
from porter.languages.python_walk import SCOPES, Walk, walk_tree
from porter.languages.text import Text, may_ignore, newline, read_ignore
from porter.model import Edit, Span

BOM = b"\xef\xbb\xbf"
_Node = TypeVar("_Node", bound=ast.AST)


def callee(call: ast.Call) -> str:
    """The last word of what a call calls."""
    return last_name(call.func)


def last_name(node: ast.AST) -> str:
    """The last word of a chain of attributes; empty where it does not end in one."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def variable_names(targets: Iterable[ast.expr]) -> list[str]:
    """The plain variables among what an assignment gives its value to."""
    return [target.id for target in targets if isinstance(target, ast.Name)]


def parameter(scope: ast.AST, name: str) -> ast.arg | None:
    """The parameter of this name, where the scope is a function that has it."""
    if type(scope) not in SCOPES:
        return None
    every: ast.arguments = scope.args  # type: ignore[attr-defined]
    for some in (every.args, every.kwonlyargs, every.posonlyargs, (every.vararg, every.kwarg)):
        for argument in some:
            if argument is not None and argument.arg == name:
                return argument
    return None


@dataclass
class Tree(Text):
    """A parsed file."""

    tree: ast.Module
    encoding: str

    # ---- positions

    @cached_property
    def _utf8_lines(self) -> list[bytes] | None:
        """Lines as `ast` counts them, where its UTF-8 columns are not the file's own bytes."""
        if self.encoding in ("utf-8", "ascii"):
            return None
        return self.data.decode(self.encoding).encode().split(b"\n")

    def _offset(self, line: int, column: int) -> int:
        if self._utf8_lines is not None:
            prefix = self._utf8_lines[line - 1][:column].decode()
            column = len(prefix.encode(self.encoding))
        start = self.starts[line - 1]
        if line == 1 and self.data.startswith(BOM):
            start += len(BOM)
        return start + column

    def span(self, node: ast.AST) -> Span:
        """Bytes of a node (an expression, statement, alias, keyword or argument)."""
        n: ast.expr = node  # type: ignore[assignment]
        assert n.end_lineno is not None and n.end_col_offset is not None
        return Span(
            self._offset(n.lineno, n.col_offset), self._offset(n.end_lineno, n.end_col_offset)
        )

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Line and column (from 1, bytes) where a node begins."""
        n: ast.expr = node  # type: ignore[assignment]
        if self._utf8_lines is None and n.lineno > 1:
            return n.lineno, n.col_offset + 1
        return self.position(self._offset(n.lineno, n.col_offset))

    def place_of_attribute(self, node: ast.Attribute) -> tuple[int, int]:
        """Line and column of the word behind the last dot."""
        size, line, column = len(node.attr.encode()), node.end_lineno, node.end_col_offset
        if self._utf8_lines is None and line and column and line > 1:
            return line, column - size + 1
        return self.position(self.span(node).end - size)

    def start_of(self, node: ast.AST) -> Span:
        """The empty span at the start of a node, to insert at."""
        start = self.span(node).start
        return Span(start, start)

    def end_of(self, node: ast.AST) -> Span:
        """The empty span at the end of a node, to insert at."""
        end = self.span(node).end
        return Span(end, end)

    def text(self, node: ast.AST) -> str:
        """The source of a node as written."""
        span = self.span(node)
        return self.data[span.start : span.end].decode(self.encoding)

    def encode(self, text: str) -> bytes:
        """Text with `\\n` to bytes of this file: its encoding and line ending."""
        encoded = text.encode(self.encoding)
        return encoded.replace(b"\n", newline(self.data))

    def replace(self, node: ast.AST, text: str) -> Edit:
        return Edit(self.span(node), self.encode(text))

    def line_start(self, node: ast.AST) -> Span:
        """The empty span at the beginning of the line a node starts on."""
        start = self.starts[node.lineno - 1]  # type: ignore[attr-defined]
        if start == 0 and self.data.startswith(BOM):
            start = len(BOM)
        return Span(start, start)

    # ---- nodes

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, the innermost first."""
        parents = self.parents
        while node in parents:
            node = parents[node]
            yield node

    def function(self, node: ast.AST) -> ast.AST:
        """The function (or module) whose scope a node is in."""
        place = self.walk.places.get(node)
        return place[1] if place is not None else node

    def scope(self, node: ast.AST) -> ast.AST:
        """The function, lambda, class or module that a node is evaluated in."""
        return self.walk.places[node][0]

    @cached_property
    def remembered(self) -> dict[tuple[object, ...], Any]:
        """What functions have worked out of the file, by their names and arguments."""
        return {}

    @cached_property
    def walk(self) -> Walk:
        return walk_tree(self.tree)

    @property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree but operators and contexts, parents before children."""
        return [self.tree, *self.parents]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return self.walk.parents

    def nodes_of(self, kind: type[_Node]) -> list[_Node]:
        """The nodes of exactly this type."""
        return self.walk.by_type.get(kind, [])  # type: ignore[return-value]

    @cached_property
    def attributes(self) -> Mapping[str, list[ast.Attribute]]:
        """The attribute nodes by the attribute's name."""
        found: dict[str, list[ast.Attribute]] = defaultdict(list)
        for node in self.nodes_of(ast.Attribute):
            found[node.attr].append(node)
        return found

    @cached_property
    def _names(self) -> tuple[Mapping[str, list[ast.Name]], list[ast.Name]]:
        found: dict[str, list[ast.Name]] = defaultdict(list)
        changed = []
        for node in self.nodes_of(ast.Name):
            found[node.id].append(node)
            if type(node.ctx) is not ast.Load:
                changed.append(node)
        return found, changed

    @property
    def names_by_id(self) -> Mapping[str, list[ast.Name]]:
        """The names by identifier."""
        return self._names[0]

    @property
    def changed(self) -> list[ast.Name]:
        """The names that are stored to or deleted."""
        return self._names[1]

    @cached_property
    def changed_attributes(self) -> list[ast.Attribute]:
        """The attributes that are stored to or deleted."""
        return [node for node in self.nodes_of(ast.Attribute) if type(node.ctx) is not ast.Load]

    @cached_property
    def stores(self) -> Mapping[str, list[ast.Name]]:
        """The names that are stored to, by name."""
        found: dict[str, list[ast.Name]] = defaultdict(list)
        for node in self.changed:
            if type(node.ctx) is ast.Store:
                found[node.id].append(node)
        return found

    @cached_property
    def stores_by_scope(self) -> Mapping[tuple[ast.AST, str], list[ast.Name]]:
        """The names that are stored to, by the scope that they stand in and name."""
        found: dict[tuple[ast.AST, str], list[ast.Name]] = defaultdict(list)
        places = self.walk.places
        for node in self.changed:
            if type(node.ctx) is ast.Store:
                found[places[node][0], node.id].append(node)
        return found

    @cached_property
    def _stores_in(self) -> Mapping[tuple[ast.AST, str], list[ast.Name]]:
        """The names that are stored to, by function and name."""
        found: dict[tuple[ast.AST, str], list[ast.Name]] = defaultdict(list)
        places = self.walk.places
        for node in self.changed:
            if type(node.ctx) is ast.Store:
                found[places[node][1], node.id].append(node)
        return found

    def assigned_value(self, node: ast.AST) -> ast.expr | None:
        """What is stored in a name or attribute, where it is one expression."""
        parent = self.parents[node]
        if type(parent) is ast.Assign:
            return parent.value if node in parent.targets else None
        if isinstance(parent, ast.AnnAssign | ast.NamedExpr) and node is parent.target:
            return parent.value
        return parent.context_expr if isinstance(parent, ast.withitem) else None

    def bindings(self, scope: ast.AST, name: str) -> list[ast.expr | None]:
        """The values a name is bound to in a scope, but as a parameter; None: not an
        expression."""
        return [self.assigned_value(node) for node in self.stored(scope, name)]

    def stored(self, scope: ast.AST, name: str) -> list[ast.Name]:
        """Where a name is stored to in a scope."""
        return self._stores_in.get((scope, name), [])

    @cached_property
    def ignores_by_line(self) -> dict[int, set[str]]:
        if not may_ignore(self.data):
            return {}
        lines = tokenize.tokenize(BytesIO(self.data).readline)
        found = {t.start[0]: read_ignore(t.string) for t in lines if t.type == tokenize.COMMENT}
        return {line: rules for line, rules in found.items() if rules is not None}


def lone_value(module: Tree, node: ast.AST) -> ast.expr | None:
    """What an assignment gives to a name or attribute alone."""
    statement = module.parents[node]
    alone = isinstance(statement, ast.Assign) and node in statement.targets
    return statement.value if alone else None  # type: ignore[attr-defined]


def find_rebound(
    module: Tree, names: frozenset[str]
) -> dict[tuple[ast.AST | None, str], tuple[ast.AST, int, int]]:
    """(scope, name) -> scope, line and column from which on one of these names is not what was
    imported, but what a call gives: `optim = optim.Adam(values)`. A call with a text may give the
    module itself."""
    found: dict[tuple[ast.AST | None, str], tuple[ast.AST, int, int]] = {}
    for name in names & module.stores.keys():
        for stored in module.stores[name]:
            statement, scope = module.parents[stored], module.scope(stored)
            if not isinstance(statement, ast.Assign) or module.parents[statement] is not scope:
                continue
            value = statement.value
            first = value.args[0] if isinstance(value, ast.Call) and value.args else None
            if first is not None and not isinstance(first, ast.Constant):
                place = statement.end_lineno or 0, statement.end_col_offset or 0
                found.setdefault((scope, name), (scope, *place))
    return found


def is_rebound(module: Tree, since: tuple[ast.AST, int, int], node: ast.AST) -> bool:
    """Whether a node is after a place of a scope, or in a function that runs after it."""
    scope, line, column = since
    later = (node.lineno, node.col_offset) >= (line, column)  # type: ignore[attr-defined]
    return later or module.scope(node) is not scope


def collect_bindings(
    module: Tree, package: str, origin_of: Callable[[str], str]
) -> dict[ast.AST, dict[str, str | None]]:
    """By scope node: name -> dotted import origin, or None where bound to something else. What is
    imported from a module is where `origin_of` says."""
    places = module.walk.places
    bindings: dict[ast.AST, dict[str, str | None]] = defaultdict(dict)
    for plain in module.nodes_of(ast.Import):
        for alias in plain.names:
            top = alias.name.partition(".")[0]
            bindings[places[plain][0]][alias.asname or top] = alias.name if alias.asname else top
    for origin in module.nodes_of(ast.ImportFrom):
        base = absolute(origin, package)
        for alias in origin.names:
            if alias.name != "*":
                whole = origin_of(f"{base}.{alias.name}")
                bindings[places[origin][0]][alias.asname or alias.name] = whole
    for name, node in _find_other_bindings(module):
        bindings[places[node][0]].setdefault(name, None)  # an import of the same name wins
    return dict(bindings)


def _find_other_bindings(module: Tree) -> Iterator[tuple[str, ast.AST]]:
    for name in module.changed:
        yield name.id, name
    for argument in module.nodes_of(ast.arg):
        yield argument.arg, argument
    for handler in module.nodes_of(ast.ExceptHandler):
        if handler.name:
            yield handler.name, handler
    definitions: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef] = [
        *module.nodes_of(ast.FunctionDef),
        *module.nodes_of(ast.AsyncFunctionDef),
        *module.nodes_of(ast.ClassDef),
    ]
    for definition in definitions:
        yield definition.name, definition
