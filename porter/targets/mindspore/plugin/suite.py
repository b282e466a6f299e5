"""The tests of a tree for torch -> tests of its plugin, in the same files and by the same names."""

from __future__ import annotations

import ast
import posixpath
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from porter.targets.conversion import Left
from porter.targets.mindspore.names import FOLDER
from porter.targets.mindspore.plugin.counterparts import HELPER
from porter.targets.mindspore.plugin.source import Edit, Foreign, Plugin, Source, defined_by
from porter.targets.mindspore.plugin.suite_imports import names_of_import
from porter.targets.mindspore.plugin.suite_statements import (
    PARAMETRIZE,
    Statements,
    skip_mark,
)

_FOLDERS = frozenset(("tests", "test", "testing"))
_FILE = re.compile(r"(?:test_.*|.*_test|conftest)\.py")
_USED = re.compile(rf"(?<![\w.])(mindspore|pytest|_custom_ops|{HELPER})\.")
Function = (ast.FunctionDef, ast.AsyncFunctionDef)
Lacking = Mapping[str, Mapping[str, str]]  # modules of tests -> names that they lack, and why


def convert_tests(tree: Mapping[str, bytes], plugin: Plugin, left: list[Left]) -> dict[str, bytes]:
    """By their paths. Tests that use what a plugin has not are skipped there, with the reason, and
    added to `left`."""
    files: list[_File] = []
    for path in filter(is_of_tests, sorted(tree)):
        try:
            files.append(_File(path, Source.parse(tree[path]), plugin))
        except (SyntaxError, ValueError):
            left.append(Left(path, 1, posixpath.basename(path), "it cannot be parsed"))
    known = -1
    while known != (known := sum(len(file.refused) for file in files)):
        for file in files:
            file.judge({name: o.refused for o in files for name in o.names_from(file.path)})
    for file in files:
        left += file.left()
    return {file.path: file.text().encode() for file in files}


def is_of_tests(path: str) -> bool:
    """Whether a file has tests, or is beside them."""
    folders = posixpath.dirname(path).split("/")
    inside = not _FOLDERS.isdisjoint(folders) and path.endswith(".py")
    named = _FILE.fullmatch(posixpath.basename(path)) is not None
    return (inside or named) and not path.startswith(f"{FOLDER}/")


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is converted as a whole or not at all, and the class of tests that it is in."""

    node: ast.stmt
    owner: ast.ClassDef | None

    @property
    def names(self) -> set[str]:
        names = defined_by(self.node)
        if not names:  # of a block
            names = {n.id for n in ast.walk(self.node) if _is_stored(n)}
        return {f"{self.owner.name}.{name}" for name in names} if self.owner else names

    @property
    def is_test(self) -> bool:
        return isinstance(self.node, Function) and self.node.name.startswith("test")

    @property
    def is_automatic(self) -> bool:
        """Whether it is a fixture that no test names."""
        decorators = getattr(self.node, "decorator_list", [])
        return any("autouse=True" in ast.unparse(one) for one in decorators)

    @property
    def is_silent(self) -> bool:
        """Whether it says something that no name leads to: `pytestmark = ...`, a call."""
        defines = isinstance(self.node, (*Function, ast.ClassDef))
        program = isinstance(self.node, ast.If) and "__name__" in ast.unparse(self.node.test)
        return not defines and not program and self.names <= {"pytestmark"}

    def used(self) -> set[str]:
        """The names that it uses, and the fixtures that its parameters are."""
        found = {node.id for node in ast.walk(self.node) if isinstance(node, ast.Name)}
        return found | {node.arg for node in ast.walk(self.node) if isinstance(node, ast.arg)}


@dataclass(slots=True)
class _File:
    """`refused` are the names that it defines for torch, and why it does not for a plugin."""

    path: str
    source: Source
    plugin: Plugin
    refused: dict[str, str] = field(default_factory=dict)
    texts: dict[_Unit, str] = field(default_factory=dict)
    skipped: dict[ast.expr, str] = field(default_factory=dict)  # cases of tests
    heads: dict[ast.ClassDef, list[Edit] | str] = field(
        default_factory=dict
    )  # or why there is none

    def __post_init__(self) -> None:
        for node in ast.walk(self.source.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.source.imported |= names_of_import(node, self.path)

    def names_from(self, path: str) -> Iterator[str]:
        """The names by which a file of the tests may import this one."""
        stem = self.path.removesuffix(".py").removesuffix("/__init__")
        yield stem.replace("/", ".")
        if posixpath.dirname(path) == posixpath.dirname(self.path):
            yield posixpath.basename(stem)

    def judge(self, local: Lacking) -> None:
        """Convert each statement, or say why not."""
        statements = Statements(
            self.source, self.path, self.plugin, local, cases=frozenset(self._cases())
        )
        self.skipped = statements.skipped
        fixtures = {
            name: why
            for module, lacking in local.items()
            for name, why in lacking.items()
            if module.endswith("conftest")
        }
        self.heads = {node: self._head_of(node, statements) for node in self._classes()}
        known = -1
        while known != (known := len(self.refused)):
            for unit in self._units():
                lacking = fixtures | self.refused
                try:
                    self._require(unit, lacking)
                    self.texts[unit] = self._checked(unit, [*statements.edits(unit.node)])
                except Foreign as error:
                    self.texts[unit] = self._refuse(unit, str(error), lacking, statements)
                    names = unit.names or {f"line {unit.node.lineno}"}
                    self.refused |= {name: str(error) for name in names - {*self.refused}}

    def _cases(self) -> Iterator[str]:
        """The names that nothing uses but `parametrize`."""
        nodes = [*ast.walk(self.source.tree)]
        given = {
            inner
            for node in nodes
            if isinstance(node, ast.Call) and self.source.dotted(node.func) == PARAMETRIZE
            for inner in ast.walk(node)
        }
        loaded = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        inside = {node.id for node in loaded if node in given}
        yield from inside - {node.id for node in loaded if node not in given}

    def _units(self) -> Iterator[_Unit]:
        for one in self.source.tree.body:
            if isinstance(one, ast.ClassDef) and one in self.heads:
                yield from (_Unit(each, one) for each in one.body)
            else:
                yield _Unit(one, None)

    def _classes(self) -> Iterator[ast.ClassDef]:
        """Those of tests, whose methods are converted one by one."""
        for node in self.source.tree.body:
            if isinstance(node, ast.ClassDef) and _has_tests(node):
                yield node

    def _head_of(self, node: ast.ClassDef, statements: Statements) -> list[Edit] | str:
        """The edits of a class's decorators and bases, or why they have no counterpart."""
        try:
            parts = [*node.decorator_list, *node.bases, *node.keywords]
            return [edit for part in parts for edit in statements.edits(part)]
        except Foreign as error:
            return str(error)

    def _edits_of_heads(self) -> Iterator[Edit]:
        """Without what has no counterpart, since none of the class's tests is run then."""
        for node, edits in self.heads.items():
            if isinstance(edits, str):
                first = self.source.whole(node)[0]
                last = self.source.lines[node.body[0].lineno - 1]
                yield first, last, f"class {node.name}:\n"
            else:
                yield from edits

    def _require(self, unit: _Unit, lacking: Mapping[str, str]) -> None:
        """Raise Foreign where it uses what is not there."""
        needed = unit.used()
        head = self.heads[unit.owner] if unit.owner is not None else []
        if isinstance(head, str):
            raise Foreign(f"its class: {head}")
        if unit.owner is not None:  # a class's tests need what else is in it
            first = f"{unit.owner.name}."
            needed |= {
                n for n in lacking if n.startswith(first) and not n.startswith(f"{first}test")
            }
        for name in sorted(needed & {*lacking} - unit.names):
            why = lacking[name]
            raise Foreign(why if why.startswith("it uses") else f"it uses `{name}`: {why}")

    def _checked(self, unit: _Unit, edits: list[Edit]) -> str:
        """Its text with the edits. Raises Foreign where that is not Python."""
        text = self.source.apply(*self.source.whole(unit.node), edits)
        try:
            ast.parse(f"class _:\n{text}" if unit.owner else text)
        except SyntaxError as error:
            raise Foreign("an unsupported form") from error
        return text

    def _refuse(
        self, unit: _Unit, reason: str, lacking: Mapping[str, str], statements: Statements
    ) -> str:
        """A test that is skipped, with its code in comments; other code as a comment."""
        first, last = self.source.whole(unit.node)
        line = self.source.lines[unit.node.lineno - 1]
        indent = " " * unit.node.col_offset
        body = getattr(unit.node, "body", [])
        if unit.is_test and body[0].lineno > unit.node.lineno:
            try:
                edits = [*self._head(unit, lacking, statements)]
            except Foreign:
                pass
            else:
                edits.append((line, line, f"{indent}@{skip_mark(reason)}\n"))
                start = self.source.lines[body[0].lineno - 1]
                code = _comment(self.source.data[start:last].decode(), f"{indent}    ")
                return f"{self.source.apply(first, start, edits)}{code}\n{indent}    pass"
        code = self.source.data[first:last].decode()
        text = f"{indent}# not converted: {reason}\n{_comment(code, indent)}"
        return f"{text}\n{indent}pass" if unit.owner else text

    def _head(
        self, unit: _Unit, lacking: Mapping[str, str], statements: Statements
    ) -> Iterator[Edit]:
        """The edits of a test's decorators and parameters. Raises Foreign."""
        node = unit.node
        assert isinstance(node, Function)
        for one in [*node.decorator_list, node.args]:
            used = {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
            if not used.isdisjoint(lacking):
                raise Foreign("its head uses what is not converted")
            yield from statements.edits(one)

    def left(self) -> Iterator[Left]:
        """The tests that are not converted, what they would have been prepared by, and cases of
        others."""
        for node, reason in self.skipped.items():
            yield Left(
                self.path, node.lineno, ast.unparse(node), f"{reason}: its cases are skipped"
            )
        for unit in self._units():
            names = unit.names or {f"line {unit.node.lineno}"}
            for name in names & {*self.refused}:
                if unit.is_test or unit.is_automatic or unit.is_silent:
                    yield Left(self.path, unit.node.lineno, name, self.refused[name])

    def text(self) -> str:
        """The whole file, with the imports that it needs now."""
        edits = [(*self._place(unit, text), text) for unit, text in self.texts.items()]
        edits += self._edits_of_heads()
        used = {match[1] for _, _, text in edits for match in _USED.finditer(text)}
        lines = [f"import {name}" for name in ("mindspore", "pytest") if name in used]
        if "pytest" in self.source.imported.values():
            lines = [line for line in lines if line != "import pytest"]
        own = sorted(used & {"_custom_ops", HELPER})
        lines += [f"from {self.plugin.own} import {', '.join(own)}"] if own else []
        place = self._place_of_imports()
        if lines:
            edits.append((place, place, "".join(f"{line}\n" for line in lines)))
        whole = self.source.apply(0, len(self.source.data), edits)
        return re.sub(r"\n{4,}", "\n\n\n", whole)

    def _place(self, unit: _Unit, text: str) -> tuple[int, int]:
        """Where its text goes, or the line that goes with it."""
        first, last = self.source.whole(unit.node)
        return first, last if text.strip() else self.source.lines[unit.node.end_lineno or 0]

    def _place_of_imports(self) -> int:
        """Before the first import of torch, or of anything."""
        imports = [n for n in self.source.tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
        of_torch = [n for n in imports if ast.unparse(n).split()[1].split(".")[0] == "torch"]
        first = next(iter([*of_torch, *imports, *self.source.tree.body]), None)
        return self.source.whole(first)[0] if first is not None else 0


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _comment(code: str, indent: str) -> str:
    return "\n".join(f"{indent}# {line}".rstrip() for line in textwrap.dedent(code).splitlines())


def _has_tests(node: ast.ClassDef) -> bool:
    cases = any(ast.unparse(base).endswith("TestCase") for base in node.bases)
    return cases or node.name.startswith("Test")
