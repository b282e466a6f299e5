"""A syntax tree walked once: its nodes, each with its parent and scope."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from porter.languages.text import Unreadable

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPE_TYPES = frozenset((*SCOPES, ast.ClassDef))
_DEFINITION_TYPES = frozenset(_DEFINITIONS)
# Fields that hold no node, or an operator or context, which no finder asks for.
_PLAIN = frozenset(
    (
        *("arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs"),
        *("level", "module", "op", "ops", "rest", "simple", "tag", "type_comment"),
    )
)
_LEAVES = (ast.Constant, ast.Global, ast.MatchSingleton, ast.Nonlocal)
_NAMED = (ast.alias, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, *_DEFINITIONS)  # by a text
_FREQUENT: dict[type[ast.AST], Callable[[Any], list[ast.AST]]] = {  # written out: most of a tree
    ast.Assign: lambda node: [*node.targets, node.value],
    ast.Attribute: lambda node: [node.value],
    ast.BinOp: lambda node: [node.left, node.right],
    ast.Call: lambda node: [node.func, *node.args, *node.keywords],
    ast.Compare: lambda node: [node.left, *node.comparators],
    ast.Expr: lambda node: [node.value],
    ast.List: lambda node: node.elts,
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.Tuple: lambda node: node.elts,
    ast.keyword: lambda node: [node.value],
}
_WITH_NONE = frozenset((ast.Dict, ast.arguments))  # in their lists
DEEPEST = 200  # levels of a tree: functions that call themselves for each node hold up to it


def _reader(kind: type[ast.AST]) -> Callable[[ast.AST], list[ast.AST]] | None:
    """What gives what `ast.iter_child_nodes` does of nodes of a type, but for operators and
    contexts, in a tenth of its time; None where they have none."""
    if kind in _LEAVES:
        return None
    if kind in _FREQUENT:
        return _FREQUENT[kind]
    names = [name for name in kind._fields if name not in _PLAIN]
    if kind.__name__ == "TypeVar" or kind.__name__.endswith("Spec") or kind in _NAMED:
        names.remove("name")
    if not names:
        return None
    read: Callable[[ast.AST], Any] = attrgetter(*names)

    def children(node: ast.AST) -> list[ast.AST]:
        found: list[ast.AST] = []
        for value in read(node) if len(names) > 1 else (read(node),):
            if type(value) is list:
                found += value
            elif value is not None:
                found.append(value)
        return [each for each in found if each is not None] if kind in _WITH_NONE else found

    return children


class _Readers(dict[type[ast.AST], Callable[[Any], list[ast.AST]] | None]):
    """`_reader` of each type that was seen."""

    def __missing__(self, kind: type[ast.AST]) -> Callable[[Any], list[ast.AST]] | None:
        found = self[kind] = _reader(kind)
        return found


_READERS = _Readers()


@dataclass(frozen=True, slots=True)
class Walk:
    """A tree walked once: what every finder asks of it."""

    parents: dict[ast.AST, ast.AST]  # of all nodes but the module, parents before children
    # node -> function, lambda, class or module that it is evaluated in, and the innermost function,
    # or else module, around it: one pair for all that have the same
    places: dict[ast.AST, tuple[ast.AST, ast.AST]]
    by_type: dict[type[ast.AST], list[ast.AST]]


def walk_tree(tree: ast.Module) -> Walk:
    parents: dict[ast.AST, ast.AST] = {}
    places: dict[ast.AST, tuple[ast.AST, ast.AST]] = {tree: (tree, tree)}
    by_type: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    level: list[ast.AST] = [tree]
    depth = 0
    while level:
        if depth > DEEPEST:
            raise Unreadable(f"is nested too deeply: more than {DEEPEST} levels")
        depth += 1
        deeper: list[ast.AST] = []
        for node in level:
            kind = type(node)
            by_type[kind].append(node)
            read = _READERS[kind]
            if read is None:
                continue
            below = read(node)
            place = places[node]
            if kind in _SCOPE_TYPES:
                place = node, place[1] if kind is ast.ClassDef else node
            for child in below:
                parents[child] = node
                places[child] = place
            if kind in _DEFINITION_TYPES:  # evaluated where the definition stands
                outside = places[node][0], place[1]
                for outer in (*node.decorator_list, *getattr(node, "bases", ())):  # type: ignore[attr-defined]
                    places[outer] = outside
            deeper += below
        level = deeper
    return Walk(parents, places, by_type)
