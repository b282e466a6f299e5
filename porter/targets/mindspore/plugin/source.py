"""A Python file of a tree: what its names are imports of, where its nodes stand, edits of it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from porter.targets.mindspore.plugin.counterparts import MODULE

KNOWN = frozenset((*sys.stdlib_module_names, "numpy", "pytest"))  # modules that tests may import
Edit = tuple[int, int, str]


class Foreign(Exception):
    """Says what a statement uses that the plugin has nothing for."""


@dataclass(slots=True)
class Source:
    """A parsed file; `imported` is what each name is an import of."""

    data: bytes
    tree: ast.Module
    imported: dict[str, str] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)  # where each begins

    @classmethod
    def parse(cls, data: bytes) -> Source:
        """Raises SyntaxError or ValueError for what is not Python."""
        ends = accumulate(len(line) for line in data.splitlines(keepends=True))
        return cls(data, ast.parse(data), {}, [0, *ends])

    def dotted(self, node: ast.AST) -> str | None:
        """The whole name of what was imported; None for anything else."""
        words: list[str] = []
        while isinstance(node, ast.Attribute):
            words.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imported:
            return None
        return ".".join([self.imported[node.id], *words])

    def is_call_of(self, node: ast.AST, names: Collection[str]) -> bool:
        return isinstance(node, ast.Call) and self.dotted(node.func) in names

    def start(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.keyword) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.data[self.start(node) : self.end(node)].decode()

    def edits_of_module(self, node: ast.ClassDef) -> Iterator[Edit]:
        """`construct` for `forward`, where a class is a module of torch."""
        if MODULE in map(self.dotted, node.bases):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    at = self.data.index(b"forward", self.start(method))
                    yield at, at + len("forward"), "construct"

    def whole(self, statement: ast.stmt) -> tuple[int, int]:
        """Where a statement stands with its decorators, from the start of its first line."""
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(one.lineno for one in decorators)])
        return self.lines[first - 1], self.end(statement)

    def apply(self, first: int, last: int, edits: Iterable[Edit]) -> str:
        """The text between two places with the edits there. Raises Foreign where two overlap."""
        parts, at = [], first
        for begin, stop, text in sorted(edits):
            if begin < at:
                raise Foreign("an unsupported form")
            parts += [self.data[at:begin].decode(), text]
            at = stop
        return "".join([*parts, self.data[at:last].decode()])


@dataclass(frozen=True, slots=True)
class Plugin:
    """What tests may use of a plugin; `names` are those that its modules have, by dotted name."""

    package: str  # of the tree
    operators: frozenset[str]
    names: Mapping[str, frozenset[str]]  # `ops`, `ops.layers` -> names
    modules: frozenset[str]  # of the tree's own, dotted

    @property
    def own(self) -> str:
        return f"{self.package}_ms"

    def is_operator(self, words: list[str]) -> bool:
        """Whether a name is of an operator: `torch.ops.space.f`, `package._C.f`."""
        module = ".".join(words[:-1])
        of_torch = words[:2] == ["torch", "ops"] and len(words) == 4
        extension = words[0] == self.package and len(words) > 2 and module not in self.modules
        return words[-1] in self.operators and (of_torch or extension)

    def has(self, name: str) -> bool:
        module, _, last = name.rpartition(".")
        return last in self.names.get(module, ()) or name in self.names


def imports_of(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Name -> what an import has it mean."""
    if isinstance(statement, ast.ImportFrom):
        return {a.asname or a.name: f"{statement.module}.{a.name}" for a in statement.names}
    return {
        alias.asname or alias.name.partition(".")[0]: alias.name
        if alias.asname
        else alias.name.partition(".")[0]
        for alias in statement.names
    }


def defined_by(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a meaning."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    nodes = ast.walk(statement) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else ()
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
