"""Python: `ast` finds names and calls, resolved through imports; spans are bytes of the file."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Protocol

from porter.languages.python_imports import absolute, imported, loaded_module
from porter.languages.python_parse import drop_bodies, parse_tree
from porter.languages.python_tree import (
    BOM,
    Tree,
    collect_bindings,
    find_rebound,
    is_rebound,
    lone_value,
    parameter,
)
from porter.languages.python_walk import SCOPES
from porter.languages.text import Unreadable

__all__ = ["BOM", "SCOPES", "Elsewhere", "Module", "Name", "Unreadable", "parameter", "parse"]


_NAMING = (ast.Attribute, ast.Call, ast.Name)  # what may stand for an import


class Name(NamedTuple):
    """A dotted name resolved to where it was imported from; a tuple, as there are many."""

    qualified: str
    node: ast.expr


class Elsewhere(Protocol):
    """What other modules of the project import, and what they hand on."""

    def origin(self, name: str, folder: str) -> str: ...
    def public(self, module: str, folder: str) -> Mapping[str, str]: ...
    def is_own(self, top: str, folder: str) -> bool: ...
    def imports_torch(self, name: str, folder: str) -> bool: ...


@dataclass
class Module(Tree):
    """One parsed Python file, with its names resolved.

    `package` is the dotted package the file is in, for relative imports; `elsewhere` tells what
    other files of the project hand on.
    """

    package: str = ""
    elsewhere: Elsewhere | None = None
    _resolved: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    _origins: dict[ast.AST, str | None] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def _bindings(self) -> dict[ast.AST, dict[str, str | None]]:
        found = collect_bindings(self, self.package, self._origin_of)
        if self.elsewhere is not None:
            folder, own = self.path.rpartition("/")[0], found.setdefault(self.tree, {})
            for source in self.stars:
                for name, whole in self.elsewhere.public(source, folder).items():
                    own.setdefault(name, whole)
        return found

    @cached_property
    def _import_names(self) -> frozenset[str]:
        """The identifiers that some scope binds by an import."""
        bound = self._bindings.values()
        return frozenset(name for names in bound for name, origin in names.items() if origin)

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """The modules that the file imports everything from."""
        statements = ((n, a) for n in self.nodes_of(ast.ImportFrom) for a in n.names)
        return tuple(absolute(node, self.package) for node, a in statements if a.name == "*")

    @property
    def module_bindings(self) -> Mapping[str, str | None]:
        """What the module binds, with the origins of imports; None for what is none."""
        return self._bindings.get(self.tree, {})

    @cached_property
    def exports(self) -> frozenset[str] | None:
        """What a literal `__all__` lists; None where there is none."""
        for name in self.stores.get("__all__", ()):
            statement = self.parents[name]
            if isinstance(statement, ast.Assign):
                try:
                    return frozenset(ast.literal_eval(statement.value))
                except (ValueError, TypeError, RecursionError):
                    return None
        return None

    def _origin_of(self, name: str) -> str:
        """Where a dotted name is from: not from a module of the project that only imports it."""
        if self.elsewhere is None or name.startswith("torch."):
            return name
        if name not in self._resolved:
            folder = self.path.rpartition("/")[0]
            self._resolved[name] = self.elsewhere.origin(name, folder)
        return self._resolved[name]

    def resolve(self, node: ast.AST) -> str | None:
        """The dotted origin of a Name or Attribute chain, or None where it is not an import's.

        `F.pad` after `import torch.nn.functional as F` is `torch.nn.functional.pad`.
        A name that the scope binds otherwise (argument, assignment) resolves to None.
        """
        root = node
        while type(root) is ast.Attribute:
            root = root.value
        if type(root) is not ast.Name or root.id not in self._roots:
            return None
        if node not in self._origins:
            self._origins[node] = self._resolve(node, root)
        return self._origins[node]

    @cached_property
    def _roots(self) -> frozenset[str]:
        """The identifiers that a chain of attributes which resolves may begin with."""
        own = ("self",) if self._self_attributes else ()
        return self._import_names.union(self._alias_names, own)

    def _resolve(self, node: ast.AST, root: ast.Name) -> str | None:
        attributes: list[str] = []
        while type(node) is ast.Attribute:
            attributes.append(node.attr)
            node = node.value
        attributes.reverse()
        origin = self.origin(root.id, root)
        if origin is None and attributes:
            origin = self._attribute_of_self(root, attributes.pop(0))
        return None if origin is None else self._origin_of(".".join([origin, *attributes]))

    def origin(self, identifier: str, node: ast.AST) -> str | None:
        """What an identifier is an import of, or a variable that is given one once, at the place
        of a node; None where it is neither."""
        if identifier not in self._import_names and identifier not in self._alias_names:
            return None
        scope = self._holder(identifier, node)
        key = scope, identifier
        if scope is None or (key in self._rebound and is_rebound(self, self._rebound[key], node)):
            return None
        return self._bindings[scope][identifier] or self._aliases.get((scope, identifier))

    def _holder(self, identifier: str, node: ast.AST) -> ast.AST | None:
        """The scope that binds an identifier as seen at a node; None for a builtin."""
        places, bindings = self.walk.places, self._bindings
        scope = node if type(node) in (*SCOPES, ast.ClassDef) else places[node][0]
        inside_function = False
        while True:
            visible = not (inside_function and type(scope) is ast.ClassDef)
            if visible and scope in bindings and identifier in bindings[scope]:
                return scope
            if scope is self.tree:
                return None
            inside_function = inside_function or type(scope) in SCOPES
            scope = places[scope][0]

    def _get_import_origin(self, node: ast.AST) -> str | None:
        """The origin of a chain of attributes that begins with an import, or of a call that loads a
        module by its name."""
        if isinstance(node, ast.Call):
            return loaded_module(node, self._get_import_origin(node.func))
        scope, name, rest = self._chain(node, self._import_names)
        origin = self._bindings[scope][name] if scope is not None else None
        return origin + rest if origin else None

    def _chain(self, node: ast.AST, names: Collection[str]) -> tuple[ast.AST | None, str, str]:
        """The scope and name that a chain of attributes begins with, and the rest of it; no scope
        where it does not begin with one of `names`."""
        rest = ""
        while isinstance(node, ast.Attribute):
            rest, node = f".{node.attr}{rest}", node.value
        if not isinstance(node, ast.Name) or node.id not in names:
            return None, "", ""
        return self._holder(node.id, node), node.id, rest

    @cached_property
    def _rebound(self) -> dict[tuple[ast.AST | None, str], tuple[ast.AST, int, int]]:
        return find_rebound(self, self._import_names)

    @cached_property
    def _aliases(self) -> Mapping[tuple[ast.AST | None, str], str]:
        """(scope, variable) -> origin, of variables whose one binding is `f = torch.g`."""
        elsewhere = {name for node in self.nodes_of(ast.Global) for name in node.names}
        elsewhere |= {name for node in self.nodes_of(ast.Nonlocal) for name in node.names}
        given: dict[tuple[ast.AST | None, str], ast.expr] = {}
        for (scope, name), stored in self.stores_by_scope.items():
            value = lone_value(self, stored[0]) if len(stored) == 1 else None
            if not isinstance(value, _NAMING) or name in elsewhere or parameter(scope, name):
                continue
            given[scope, name] = value
        found: dict[tuple[ast.AST | None, str], str] = {}
        new = {key: o for key, value in given.items() if (o := self._get_import_origin(value))}
        while new:  # then `g = f.h`, of such a variable
            found |= new
            names = {name for _, name in new}
            chains = {k: self._chain(v, names) for k, v in given.items() if k not in found}
            new = {k: found[c[:2]] + c[2] for k, c in chains.items() if c[:2] in found}
        return found

    @cached_property
    def _alias_names(self) -> frozenset[str]:
        return frozenset(name for _, name in self._aliases)

    @cached_property
    def _self_attributes(self) -> dict[tuple[ast.AST, str], str]:
        """(class, attribute) -> origin, of attributes of `self` whose one value is `torch.g`."""
        held = {key: n for key, n in self.stores_by_scope.items() if type(key[0]) is ast.ClassDef}
        values = (lone_value(self, n) for n in chain(self.changed_attributes, *held.values()))
        if not any(isinstance(v, _NAMING) and self._get_import_origin(v) for v in values):
            return {}  # as in most files
        given: dict[tuple[ast.AST, str], list[ast.expr | None]] = defaultdict(list)
        for node in self.changed_attributes:
            owner = self._class_of(node.value)
            if owner is not None:
                given[owner, node.attr].append(lone_value(self, node))
        for key, stored in held.items():
            given[key] += [lone_value(self, each) for each in stored]
        lone = {key: each[0] for key, each in given.items() if len(each) == 1 and each[0]}
        return {key: o for key, value in lone.items() if (o := self._get_import_origin(value))}

    def _attribute_of_self(self, node: ast.Name, attribute: str) -> str | None:
        owner = self._class_of(node) if self._self_attributes else None
        return self._self_attributes.get((owner, attribute)) if owner is not None else None

    def _class_of(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of `self`, the first argument of the method around it."""
        if type(node) is not ast.Name or node.id != "self":
            return None
        scope = self.scope(node)
        while scope is not self.tree:
            outer = self.scope(scope)
            if isinstance(outer, ast.ClassDef) and parameter(scope, "self"):
                return outer
            scope = outer
        return None

    @property
    def names(self) -> tuple[Name, ...]:
        """Every longest resolved dotted name in use, in source order; imports not included.

        A variable that is given an import once is a use where it is called or asked for more.
        """
        return self._names_and_calls[0]

    def calls(self) -> Iterator[tuple[str, ast.Call]]:
        """(qualified name, call) for every call of a resolved name, in source order."""
        return iter(self._names_and_calls[1])

    @cached_property
    def _names_and_calls(self) -> tuple[tuple[Name, ...], tuple[tuple[str, ast.Call], ...]]:
        names, calls, roots = list[Name](), list[tuple[str, ast.Call]](), self._roots
        for name in (n for root, same in self.names_by_id.items() if root in roots for n in same):
            node: ast.expr = name
            while type(parent := self.parents[node]) is ast.Attribute:
                node = parent
            if node not in self._origins:
                self._origins[node] = self._resolve(node, name)
            origin = self._origins[node]
            if origin is None:
                continue
            if type(parent) is ast.Call and parent.func is node:
                calls.append((origin, parent))
            if node is name and not isinstance(name.ctx, ast.Load):
                continue
            given = name.id in self._alias_names or name.id == "self"
            if given and self._get_import_origin(name) is None and not _uses(self, name, node):
                continue
            names.append(Name(origin, node))
        names.sort(key=lambda n: (n.node.lineno, n.node.col_offset))
        calls.sort(key=lambda item: (item[1].lineno, item[1].col_offset))
        return tuple(names), tuple(calls)

    def untold(self, package: str) -> Iterator[ast.expr | ast.alias]:
        """Places that ask a package for names that the source does not tell: `import *` of it,
        and `getattr` with a name that is worked out."""
        for name, alias, _ in self.imports:
            if alias.name == "*" and name.partition(".")[0] == package:
                yield alias
        for node in self.names_by_id.get("getattr", ()) if b"getattr" in self.data else ():
            call = self.parents[node]
            if not (isinstance(call, ast.Call) and call.func is node and call.args):
                continue
            told = len(call.args) < 2 or isinstance(call.args[1], ast.Constant)
            origin = None if told else self.resolve(call.args[0])
            if origin is not None and origin.partition(".")[0] == package:
                yield call

    def identifiers(self, origin: str) -> list[str]:
        """The identifiers that some scope binds to an import of this origin."""
        bound = self._bindings.values()
        names = [name for names in bound for name, was in names.items() if was == origin]
        return [*dict.fromkeys(names)]

    @cached_property
    def imports(self) -> tuple[tuple[str, ast.alias, ast.Import | ast.ImportFrom], ...]:
        """(qualified name imported, alias, statement) for every import in the file."""
        nodes: list[ast.Import | ast.ImportFrom] = [*self.nodes_of(ast.Import)]
        nodes += self.nodes_of(ast.ImportFrom)
        out = [(name, alias, n) for n in nodes for name, alias in imported(n, self.package)]
        out.sort(key=lambda item: (item[2].lineno, item[1].lineno, item[1].col_offset))
        return tuple(out)

    def calls_to(self, names: frozenset[str] | set[str]) -> Iterator[ast.Call]:
        """Calls whose callee resolves to one of these qualified names."""
        return (call for name, call in self.calls() if name in names)

    def call_behind(self, name: ast.expr) -> str | None:
        """Qualified name of the call a plain variable is assigned from, if it is assigned
        exactly once in its function (or module), and not an argument; else None."""
        if not isinstance(name, ast.Name):
            return None
        scope = self.function(name)
        match self.bindings(scope, name.id):
            case [ast.Call(func=called)] if parameter(scope, name.id) is None:
                return self.resolve(called)
        return None


def parse(data: bytes, path: str, package: str = "", elsewhere: Elsewhere | None = None) -> Module:
    """Parse a file. Raises Unreadable with the line and the reason."""
    module = Module(data, path, *parse_tree(data, path), package, elsewhere)
    _ = module.walk  # nested too deeply, it is not for the readers of names either
    return module


def parse_outline(data: bytes, path: str, package: str = "") -> tuple[Module, tuple[str, ...]]:
    """Parse a file without what is in its functions and classes, for what the module itself
    binds; with all that it imports anywhere, but for type checkers. Raises Unreadable."""
    tree, encoding = parse_tree(data, path)
    names = (name for node in drop_bodies(tree) for name, _ in imported(node, package))
    return Module(data, path, tree, encoding, package), tuple(names)


def _uses(module: Module, name: ast.Name, node: ast.expr) -> bool:
    """Whether a variable, or an attribute of self, is called or asked for an attribute of it."""
    parent = module.parents[node]
    called = isinstance(parent, ast.Call) and parent.func is node
    if module.origin(name.id, name) is not None:
        return called or node is not name
    return called or (isinstance(node, ast.Attribute) and node.value is not name)  # self.f
