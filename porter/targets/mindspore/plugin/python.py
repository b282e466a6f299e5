"""The Python of a package of torch operators -> that of its plugin, statement by statement."""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from porter.targets.conversion import Left
from porter.targets.mindspore.plugin.counterparts import MODULE
from porter.targets.mindspore.plugin.source import (
    Edit,
    Foreign,
    Source,
    defined_by,
    imports_of,
)

OMITTED = ("torch.library.register_fake", "torch.library.impl_abstract")  # nothing asks for them
LOADS = "torch.ops.load_library"
REPLACED = {
    MODULE: "mindspore.nn.Cell",
    "torch.Tensor": "mindspore.Tensor",
    "torch.autograd.Function": "_autograd.Function",
    "torch.library.register_autograd": "_autograd.register",
}
KNOWN = frozenset((*sys.stdlib_module_names, "numpy"))  # modules that the plugin may import

_NOTHING = re.compile(r"\n( +)pass\n(?=\1\S)")


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
        try:
            source = Source.parse(tree[path])
        except (SyntaxError, ValueError):
            continue
        found = _Module(path, source, tree, package, frozenset(operators), done).port(left)
        if found is not None:
            done[posixpath.basename(path)] = found
    return done


@dataclass(slots=True)
class _Module:
    path: str
    source: Source
    tree: Mapping[str, bytes]
    package: str
    operators: frozenset[str]
    done: Mapping[str, Ported]  # modules of the package before this one

    @property
    def prefix(self) -> str:
        """What names of the module are called by, from the package."""
        stem = posixpath.basename(self.path).removesuffix(".py")
        return "" if stem == "__init__" else f"{stem}."

    def port(self, left: list[Left]) -> Ported | None:
        body = self.source.tree.body
        statements: list[ast.stmt] = []
        for one in body:
            if isinstance(one, (ast.Import, ast.ImportFrom)):
                self.source.imported |= imports_of(one)
            elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                pass  # what the module says of itself is of torch
            elif "__all__" not in defined_by(one) and not self._loads_library(one):
                statements.append(one)
        texts, refused = self._keep(statements)
        whole = "\n\n\n".join(texts.values())
        own = [name for name in ("_autograd", "_custom_ops") if f"{name}." in whole]
        wanted = bool(own) or self.path.endswith("__init__.py")
        if wanted or any(map(self._uses_operator, refused)):
            fakes = {name for one in body for name in self._fakes(one)}
            for one, reason in refused.items():
                names = defined_by(one) - fakes
                left += [
                    Left(self.path, one.lineno, self.prefix + name, reason)
                    for name in sorted(names)
                ]
        if not wanted:
            return None
        used = {n.id for one in texts for n in ast.walk(one) if isinstance(n, ast.Name)}
        names = {name for one in texts for name in defined_by(one)}
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
            gone = {name for one in refused for name in defined_by(one)}
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
        text = self.source.apply(*self.source.whole(statement), self._edits(statement))
        return _NOTHING.sub("\n", text).strip("\n")

    def _edits(self, node: ast.AST) -> Iterator[Edit]:
        if isinstance(node, ast.Expr) and self.source.is_call_of(node.value, OMITTED):
            yield self.source.start(node), self.source.end(node), "pass"
            return
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = self.source.dotted(node)
            if name is not None:
                text = self._replacement(name)
                if text is not None:
                    yield self.source.start(node), self.source.end(node), text
                return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.startswith("torch.Tensor"):  # an annotation
                text = self.source.text(node).replace("torch.Tensor", "mindspore.Tensor")
                yield self.source.start(node), self.source.end(node), text
            return
        if isinstance(node, ast.ClassDef):
            yield from self.source.edits_of_module(node)
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
        for name, source in self.source.imported.items():
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
        return any(self.source.is_call_of(node, (LOADS,)) for node in ast.walk(statement))

    def _fakes(self, statement: ast.stmt) -> Iterator[str]:
        """The functions that say no more than the shapes of results."""
        decorators = getattr(statement, "decorator_list", [])
        if any(self.source.is_call_of(one, OMITTED) for one in decorators):
            yield from defined_by(statement)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and self.source.is_call_of(node, OMITTED):
                yield from (one.id for one in node.args if isinstance(one, ast.Name))
