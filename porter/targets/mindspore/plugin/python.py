"""The Python of a package of torch operators -> that of its plugin, statement by statement."""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from porter.targets.conversion import Left

OMITTED = ("torch.library.register_fake", "torch.library.impl_abstract")  # nothing asks for them
LOADS = "torch.ops.load_library"
MODULE = "torch.nn.Module"
REPLACED = {
    MODULE: "mindspore.nn.Cell",
    "torch.Tensor": "mindspore.Tensor",
    "torch.autograd.Function": "_autograd.Function",
    "torch.library.register_autograd": "_autograd.register",
}
KNOWN = frozenset((*sys.stdlib_module_names, "numpy"))  # modules that the plugin may import

_NOTHING = re.compile(r"\n( +)pass\n(?=\1\S)")
Edit = tuple[int, int, str]


class Foreign(Exception):
    """Says what a statement uses that the plugin has nothing for."""


@dataclass(frozen=True, slots=True)
class Ported:
    """A module of the plugin, and the names that it has of the module of torch."""

    imports: tuple[str, ...]
    body: str
    names: frozenset[str]

    def text(self) -> str:
        imports = "\n".join(self.imports)
        return f"{imports}\n\n\n{self.body}\n"


def port_package(
    tree: Mapping[str, bytes], package: str, operators: Collection[str], left: list[Left]
) -> dict[str, Ported]:
    """The modules of a package in which operators are used, by file name. What uses more of torch
    than the plugin has is added to `left`."""
    done: dict[str, Ported] = {}
    paths = [p for p in tree if posixpath.dirname(p) == package and p.endswith(".py")]
    for path in sorted(paths, key=lambda p: (p.endswith("__init__.py"), p)):
        found = _Module(path, tree, package, frozenset(operators), done).port(left)
        if found is not None:
            done[posixpath.basename(path)] = found
    return done


@dataclass(slots=True)
class _Module:
    path: str
    tree: Mapping[str, bytes]
    package: str
    operators: frozenset[str]
    done: Mapping[str, Ported]  # modules of the package before this one
    imported: dict[str, str] = field(default_factory=dict)  # name -> what it is an import of
    lines: list[int] = field(default_factory=list)  # where each begins

    @property
    def data(self) -> bytes:
        return self.tree[self.path]

    @property
    def prefix(self) -> str:
        """What names of the module are called by, from the package."""
        stem = posixpath.basename(self.path).removesuffix(".py")
        return "" if stem == "__init__" else f"{stem}."

    def port(self, left: list[Left]) -> Ported | None:
        try:
            body = ast.parse(self.data).body
        except SyntaxError:
            return None
        ends = (len(line) for line in self.data.splitlines(keepends=True))
        self.lines = [0]
        self.lines += (self.lines[-1] + end for end in ends)
        statements: list[ast.stmt] = []
        for one in body:
            if isinstance(one, (ast.Import, ast.ImportFrom)):
                self.imported |= _imports_of(one)
            elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                pass  # what the module says of itself is of torch
            elif "__all__" not in _defined_by(one) and not self._loads_library(one):
                statements.append(one)
        texts, refused = self._keep(statements)
        whole = "\n\n\n".join(texts.values())
        own = [name for name in ("_autograd", "_custom_ops") if f"{name}." in whole]
        wanted = bool(own) or self.path.endswith("__init__.py")
        if wanted or any(map(self._uses_operator, refused)):
            fakes = {name for one in body for name in self._fakes(one)}
            for one, reason in refused.items():
                names = _defined_by(one) - fakes
                left += [
                    Left(self.path, one.lineno, self.prefix + name, reason)
                    for name in sorted(names)
                ]
        if not wanted:
            return None
        used = {n.id for one in texts for n in ast.walk(one) if isinstance(n, ast.Name)}
        names = {name for one in texts for name in _defined_by(one)}
        imports = [*self._imports(used, names)]
        if "mindspore." in whole:
            imports.append("import mindspore\n")
        if own:
            imports.append(f"from {self.package}_ms import {', '.join(own)}")
        return Ported(tuple(imports), whole, frozenset(names)) if whole or names else None

    def _keep(self, statements: list[ast.stmt]) -> tuple[dict[ast.stmt, str], dict[ast.stmt, str]]:
        """(text of those that the plugin can have, why it cannot have the others)."""
        texts: dict[ast.stmt, str] = {}
        refused: dict[ast.stmt, str] = {}
        for one in statements:
            try:
                texts[one] = self._text(one)
            except Foreign as error:
                refused[one] = str(error)
        more = True
        while more:  # what uses what is not there
            gone = {name for one in refused for name in _defined_by(one)}
            more = False
            for one in [*texts]:
                loaded = {n.id for n in ast.walk(one) if isinstance(n, ast.Name)}
                needed = sorted(loaded & gone - {*self._fakes(one)})
                if needed:
                    refused[one] = f"it uses {needed[0]}, which is not in the plugin"
                    del texts[one]
                    more = True
        return {one: text for one, text in texts.items() if text}, refused

    # ----------------------------------------------------------------- statements

    def _text(self, statement: ast.stmt) -> str:
        """A statement for the plugin; nothing if it has no meaning there. Raises Foreign."""
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(one.lineno for one in decorators)])
        start, end = self.lines[first - 1], self._end(statement)
        parts, at = [], start
        for begin, stop, text in sorted(self._edits(statement)):
            parts += [self.data[at:begin].decode(), text]
            at = stop
        text = "".join([*parts, self.data[at:end].decode()])
        return _NOTHING.sub("\n", text).strip("\n")

    def _edits(self, node: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.Expr) and self._is_call_of(node.value, OMITTED):
            yield self._start(node), self._end(node), "pass"
            return
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = self._dotted(node)
            if name is not None:
                text = self._replacement(name)
                if text is not None:
                    yield self._start(node), self._end(node), text
                return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith("torch.Tensor"):  # an annotation
                text = self._source(node).replace("torch.Tensor", "mindspore.Tensor")
                yield self._start(node), self._end(node), text
            return
        if isinstance(node, ast.ClassDef) and MODULE in map(self._dotted, node.bases):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    at = self.data.index(b"forward", self._start(method))
                    yield at, at + len("forward"), "construct"
        for child in ast.iter_child_nodes(node):
            yield from self._edits(child)

    def _replacement(self, name: str) -> str | None:
        """What the plugin has for an imported name; None if it has the same. Raises Foreign."""
        if name in REPLACED:
            return REPLACED[name]
        words = name.removesuffix(".default").split(".")
        module, operator = ".".join(words[:-1]), words[-1]
        extension = words[0] == self.package and f"{module.replace('.', '/')}.py" not in self.tree
        of_torch = words[:2] == ["torch", "ops"] and len(words) == 4
        if operator in self.operators and len(words) > 2 and (of_torch or extension):
            return f"_custom_ops.{operator}"
        if words[0] in KNOWN or self._is_ported(words):
            return None
        raise Foreign(f"`{name}` has no counterpart")

    def _is_ported(self, words: list[str]) -> bool:
        there = self.done.get(f"{words[1]}.py") if len(words) == 3 else None
        return words[0] == self.package and there is not None and words[2] in there.names

    # -------------------------------------------------------------------- imports

    def _imports(self, used: set[str], names: set[str]) -> Iterator[str]:
        """What the statements that are kept use, and what the module passes on."""
        for name, source in self.imported.items():
            words = source.split(".")
            if self._is_ported(words):
                names.add(name)
                what = words[2] if words[2] == name else f"{words[2]} as {name}"
                yield f"from {self.package}_ms.{words[1]} import {what}"
            elif name in used and words[0] in KNOWN:
                module, _, last = source.rpartition(".")
                what = last if last == name else f"{last} as {name}"
                yield f"from {module} import {what}" if module else f"import {what}"

    def _uses_operator(self, statement: ast.stmt) -> bool:
        words = {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
        return bool(words & self.operators)

    def _loads_library(self, statement: ast.stmt) -> bool:
        return any(self._is_call_of(node, (LOADS,)) for node in ast.walk(statement))

    def _fakes(self, statement: ast.stmt) -> Iterator[str]:
        """The functions that say no more than the shapes of results."""
        decorators = getattr(statement, "decorator_list", [])
        if any(self._is_call_of(one, OMITTED) for one in decorators):
            yield from _defined_by(statement)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and self._is_call_of(node, OMITTED):
                yield from (one.id for one in node.args if isinstance(one, ast.Name))

    # --------------------------------------------------------------------- syntax

    def _is_call_of(self, node: ast.AST, names: Collection[str]) -> bool:
        return isinstance(node, ast.Call) and self._dotted(node.func) in names

    def _dotted(self, node: ast.AST) -> str | None:
        """The whole name of what was imported; None for anything else."""
        words: list[str] = []
        while isinstance(node, ast.Attribute):
            words.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imported:
            return None
        return ".".join([self.imported[node.id], *words])

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def _source(self, node: ast.expr) -> str:
        return self.data[self._start(node) : self._end(node)].decode()


def _imports_of(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Name -> what an import has it mean."""
    if isinstance(statement, ast.ImportFrom):
        return {a.asname or a.name: f"{statement.module}.{a.name}" for a in statement.names}
    return {
        alias.asname or alias.name.partition(".")[0]: alias.name
        if alias.asname
        else alias.name.partition(".")[0]
        for alias in statement.names
    }


def _defined_by(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    nodes = ast.walk(statement) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else ()
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
