"""Uses of what torch has and a target lacks, of which porter says nothing.

    python -m tests.silent_names LACKED.json TREE ...

LACKED.json is from tests/data/lacked_names.py, which asks torch and the target. The trees are read
apart from porter's readers: dotted names by the file's imports, attributes by their name alone. A
place counts as told where porter names it at that line, as missing, different or a guess; as
something else if its owner is a module, `self`, a literal, an object of a class, comes from a
library without torch, or has methods that torch's classes have not; or if the call has too few
arguments. What is left is silent, and is printed.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from porter.model import Language, Role, State, Symbol, Use
from porter.surface.load import load, load_torch
from porter.survey.discover import discover
from porter.uses.anything import ANYTHING
from porter.uses.guesses import guesses
from porter.uses.lookup import state, uses

OWNERS = ("torch.Tensor", "torch.dtype", "torch.Generator")
PADDLE, TORCH = load("paddle", "3.3.1"), load_torch()
PYTHON = {*dir(str), *dir(list), *dir(dict), *dir(set), *dir(bytes), *dir(int), *dir(object)}
ELSEWHERE = sys.stdlib_module_names | {"numpy", "PIL", "cv2", "pandas", "scipy", "triton", "jax"}


ATTRIBUTES = {n.rpartition(".")[2] for n in TORCH.python if n.rpartition(".")[0] in OWNERS}


def count_needed(symbol: Symbol) -> int:
    """Count the arguments without which no signature of a method can be called."""
    counts = []
    for text in symbol.signatures:
        written = ast.parse(f"def f{text.removesuffix(' -> Tensor')}: ...").body[0]
        assert isinstance(written, ast.FunctionDef)
        first = [*written.args.posonlyargs, *written.args.args]
        counts.append(len(first) - len(written.args.defaults) - 1)
    return min(counts, default=0)


@dataclass(frozen=True)
class Lacked:
    """What a target lacks: dotted names, and attributes of objects on each class that has them."""

    names: frozenset[str]
    attributes: frozenset[str]

    @staticmethod
    def read(path: Path) -> Lacked:
        found: dict[str, list[str]] = json.loads(path.read_bytes())
        names = {f"{owner}.{name}" for owner, every in found.items() for name in every}
        here = [name for name in TORCH.python if name.rpartition(".")[0] in OWNERS]
        present = {name.rpartition(".")[2] for name in here if name not in names}
        attributes = {name.rpartition(".")[2] for name in here} - present - PYTHON
        return Lacked(frozenset(names), frozenset(attributes))


@dataclass
class Found:
    places: int = 0
    told: int = 0
    other: int = 0
    silent: list[str] = field(default_factory=list)


def look(root: Path, lacked: Lacked) -> Found:
    """Count the places of a tree where a name that is lacked is used."""
    files = []
    for file in discover(root).files:
        python = file.language is Language.PYTHON and file.role is not Role.VENDORED
        if python and b"torch" in (data := (root / file.path).read_bytes()):
            files.append((file, data))
    told = {(u.path, u.line, word) for u in uses(files) if is_told(u) for word in words_of(u)}
    found = Found()
    for file, data in files:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(data)
        except SyntaxError:
            continue
        for node, name, other in asked(tree, lacked):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            found.places += 1
            if any((file.path, line, name.rpartition(".")[2]) in told for line in lines):
                found.told += 1
            elif other:
                found.other += 1
            else:
                found.silent.append(f"{root.name}/{file.path}:{node.lineno}: {ast.unparse(node)}")
    return found


def is_told(use: Use) -> bool:
    """Whether porter says something of a use."""
    if use.name.startswith(ANYTHING):
        return bool(guesses([use], (), PADDLE, TORCH))
    known = state(use.name, use.language, PADDLE, TORCH, use.given)
    return known is not None and known.state is not State.PRESENT


def words_of(use: Use) -> Iterator[str]:
    """The words of a dotted name: of a module that is lacked, it tells what follows, too."""
    yield from use.name.partition("(")[0].split(".")


def asked(tree: ast.Module, lacked: Lacked) -> Iterator[tuple[ast.AST, str, bool]]:
    """(place, name, whether the owner is something else) of each use of a name that is lacked."""
    names = Names.of(tree)
    for node in names.nodes:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if f"{node.module}.{alias.name}" in lacked.names:
                    yield node, f"{node.module}.{alias.name}", False
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = names.resolve(node)
            if name.startswith("torch.") and name in lacked.names:
                yield node, name, False
            elif not name and node.attr in lacked.attributes:
                yield node, node.attr, names.is_other(node.value) or names.is_misused(node)


@dataclass
class Names:
    """What a file gives its names, whatever the scope."""

    imported: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    calls: dict[ast.expr, ast.Call] = field(default_factory=dict)  # by what is called
    methods: dict[str, set[str]] = field(default_factory=dict)  # called on each owner
    used: set[ast.expr] = field(default_factory=set)  # compared, calculated with, asked for more
    nodes: list[ast.AST] = field(default_factory=list)

    @staticmethod
    def of(tree: ast.Module) -> Names:
        found = Names(nodes=[*ast.walk(tree)])
        own = {node.name for node in found.nodes if isinstance(node, ast.FunctionDef)}
        for node in found.nodes:
            if isinstance(node, ast.Attribute):
                found.used.add(node.value)
            elif isinstance(node, ast.Compare | ast.BinOp):
                found.used.update(c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr))
            elif isinstance(node, ast.Call):
                found.calls[node.func] = node
                method = getattr(node.func, "attr", None)
                if isinstance(node.func, ast.Attribute) and method not in own:
                    owner = ast.unparse(node.func.value)
                    found.methods.setdefault(owner, set()).add(node.func.attr)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    found.imported[alias.asname or whole] = whole
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    module = "." * node.level + (node.module or "")
                    found.imported[alias.asname or alias.name] = f"{module}.{alias.name}"
            elif isinstance(node, ast.Assign):
                for to in node.targets:
                    if isinstance(to, ast.Name):
                        found.values.setdefault(to.id, []).append(node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.values.setdefault(node.target.id, []).append(node.annotation)
            elif isinstance(node, ast.arg):
                found.values.setdefault(node.arg, []).append(node.annotation)
        for name, values in found.values.items():  # a variable is bound anew
            found.imported.pop(name, None)
            loaded = [n for n in map(loaded_name, values) if n]
            if len(loaded) == len(values) == 1:
                found.imported[name] = loaded[0]
        return found

    def resolve(self, node: ast.expr) -> str:
        """A chain of attributes by what its first name is an import of; empty if it is none."""
        words = []
        while isinstance(node, ast.Attribute):
            words.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imported:
            return ""
        return ".".join([self.imported[node.id], *reversed(words)])

    def is_other(self, node: ast.expr | None, depth: int = 0) -> bool:
        """Whether an owner is `self`, a literal, an object of a class that is not torch's, or of a
        library without torch; of a variable, by each value that the file gives one of its name."""
        match node:
            case ast.Constant() | ast.JoinedStr() | ast.List() | ast.Dict() | ast.Tuple():
                return True
            case ast.Name(id="self" | "cls"):
                return True
            case ast.Name(id=name) if name in self.values:
                values = self.values[name]
                return depth < 4 and all(self.is_other(value, depth + 1) for value in values)
            case ast.Call(func=function):
                called = self.resolve(function)
                if not called:
                    return isinstance(function, ast.Attribute) and self._is_of_library(function)
                made = called.rpartition(".")[2][:1].isupper() and not called.startswith("torch.")
                return made or called.partition(".")[0] in ELSEWHERE
            case ast.Attribute() | ast.Name():
                return self.resolve(node).partition(".")[0] in ELSEWHERE
        return False

    def is_misused(self, node: ast.Attribute) -> bool:
        """Whether it is no method of torch's that is called so, or of something with others."""
        symbols = [TORCH.python[n] for o in OWNERS if (n := f"{o}.{node.attr}") in TORCH.python]
        methods = all(symbol.kind == "member" for symbol in symbols)
        call, least = self.calls.get(node), min(map(count_needed, symbols))
        if call is None:
            return methods and node in self.used
        starred = any(isinstance(each, ast.Starred) for each in call.args)
        few = not starred and len(call.args) + len(call.keywords) < least
        return few or not self.methods.get(ast.unparse(node.value), set()) <= ATTRIBUTES

    def _is_of_library(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute | ast.Call):
            node = node.value if isinstance(node, ast.Attribute) else node.func
        return self.resolve(node).partition(".")[0] in ELSEWHERE


def loaded_name(value: ast.expr | None) -> str:
    """The module that `pytest.importorskip("torch")` and the like give."""
    if not isinstance(value, ast.Call) or not value.args:
        return ""
    function = getattr(value.func, "attr", getattr(value.func, "id", ""))
    name = getattr(value.args[0], "value", None)
    loads = function in ("importorskip", "import_module")
    return name if loads and isinstance(name, str) else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lacked", type=Path)
    parser.add_argument("trees", nargs="+", type=Path)
    options = parser.parse_args()
    lacked = Lacked.read(options.lacked)
    for root in options.trees:
        found = look(root, lacked)
        print(
            f"{root.name}: {found.places} places, {found.told} told, {found.other} something else,"
            f" {len(found.silent)} silent"
        )
        for line in found.silent:
            print(f"  silent {line}")


if __name__ == "__main__":
    main()
