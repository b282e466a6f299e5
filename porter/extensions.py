"""The native extensions a build script states, read from its syntax and never executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from porter.languages.python import Module
from porter.model import Extension

NOT_EXTENSIONS = {"BuildExtension"}
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_HERE = {"os.path.dirname", "os.path.abspath", "os.path.realpath", "os.getcwd", "str"}
_PARTS = 3  # how deep variables are followed into variables


def find(module: Module, paths: Iterable[str] = ()) -> tuple[Extension, ...]:
    """Every extension the script makes, in source order.

    `paths` are the repository's files, to answer glob patterns. What cannot be read
    off the text is left empty; nothing is guessed.
    """
    reader = _Reader(module, tuple(paths))
    return tuple(sorted(reader.extensions(), key=lambda e: (e.path, e.line)))


def keyword(module: Module, callee: str, name: str) -> str | None:
    """A keyword of a call (`setup(name=...)`), where its text is plain."""
    reader = _Reader(module, ())
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _callee(node) == callee:
            for argument in node.keywords:
                if argument.arg == name:
                    return reader.text(argument.value)
    return None


def strings(module: Module, callee: str, name: str) -> tuple[str, ...] | None:
    """A keyword that is a plain list of strings; None where it is anything else."""
    reader = _Reader(module, ())
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _callee(node) == callee:
            for argument in node.keywords:
                if argument.arg == name and isinstance(argument.value, ast.List | ast.Tuple):
                    texts = [reader.text(item) for item in argument.value.elts]
                    return None if None in texts else tuple(t for t in texts if t is not None)
    return None


def mapping(module: Module, callee: str, name: str) -> dict[str, str]:
    """The plain entries of a keyword that is a dict of strings (`package_dir={"": "src"}`)."""
    reader = _Reader(module, ())
    found: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _callee(node) == callee:
            for argument in node.keywords:
                if argument.arg == name and isinstance(argument.value, ast.Dict):
                    for key, value in zip(argument.value.keys, argument.value.values, strict=True):
                        pair = reader.text(key) if key else None, reader.text(value)
                        if pair[0] is not None and pair[1] is not None:
                            found[pair[0]] = pair[1]
    return found


def _callee(call: ast.Call) -> str:
    return _last_name(call.func)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


class _Reader:
    """Reads constants of one script: names assigned once, paths, lists and globs of them."""

    def __init__(self, module: Module, paths: tuple[str, ...]) -> None:
        self.module = module
        self.folder = module.path.rpartition("/")[0]
        self.paths = paths
        self.values: dict[str, list[ast.expr]] = {}
        self.grown: dict[str, list[ast.expr]] = {}
        for node in ast.walk(module.tree):
            self._assignment(node)

    def _assignment(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.values.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            self.values.setdefault(node.target.id, []).append(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.grown.setdefault(node.target.id, []).append(node.value)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("append", "extend")
            and isinstance(node.func.value, ast.Name)
        ):
            self.grown.setdefault(node.func.value.id, []).extend(node.args)

    # ---- calls

    def extensions(self) -> Iterator[Extension]:
        for node in ast.walk(self.module.tree):
            if isinstance(node, ast.Call):
                kind = self.kind(node.func)
                if kind is not None:
                    yield self._extension(node, kind)

    def kind(self, function: ast.expr, depth: int = 0) -> str | None:
        """The extension class a callee stands for, through aliases and conditional choices."""
        qualified = self.module.qualified(function)
        name = qualified.rpartition(".")[2] if qualified else _last_name(function)
        if name.endswith("Extension") and name not in NOT_EXTENSIONS and name != "Extension":
            return name
        if isinstance(function, ast.Name) and depth < _PARTS:
            kinds = {
                kind
                for value in self.values.get(function.id, ())
                for choice in _choices(value)
                if isinstance(choice, ast.Name | ast.Attribute)
                and (kind := self.kind(choice, depth + 1)) is not None
            }
            if kinds:
                return "|".join(sorted(kinds))
        return name if name == "Extension" else None

    def _extension(self, call: ast.Call, kind: str) -> Extension:
        name = _argument(call, 0, "name")
        sources = _argument(call, 1, "sources")
        return Extension(
            name=(self.text(name) or "") if name is not None else "",
            kind=kind,
            sources=self.files(sources) if sources is not None else (),
            path=self.module.path,
            line=call.lineno,
            repeated=self._repeated(call),
        )

    def _repeated(self, node: ast.AST) -> bool:
        """In a loop, or in a function that is called in a loop or more than once."""
        parents = self.module.parents
        while node in parents:
            node = parents[node]
            if isinstance(node, _LOOPS):
                return True
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                calls = self._calls_of(node.name)
                return len(calls) > 1 or any(self._repeated(call) for call in calls)
        return False

    def _calls_of(self, name: str) -> list[ast.Call]:
        walk = ast.walk(self.module.tree)
        return [n for n in walk if isinstance(n, ast.Call) and getattr(n.func, "id", "") == name]

    # ---- constants

    def text(self, node: ast.expr, depth: int = 0) -> str | None:
        """A string constant, through names assigned once, `+`, f-strings and path joining."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            if node.id == "__file__":
                return self.module.path
            values = self.values.get(node.id, [])
            if len(values) != 1 or depth >= _PARTS:
                return None
            return self.text(values[0], depth + 1)
        if isinstance(node, ast.JoinedStr):
            parts = [
                self.text(p.value if isinstance(p, ast.FormattedValue) else p, depth)
                for p in node.values
            ]
            return None if None in parts else "".join(p for p in parts if p is not None)
        if isinstance(node, ast.BinOp):
            return self._joined(node, depth)
        if isinstance(node, ast.Attribute) and node.attr in ("parent",):
            inner = self.text(node.value, depth)
            return None if inner is None else _parent(inner)
        return self._called(node, depth) if isinstance(node, ast.Call) else None

    def _joined(self, node: ast.BinOp, depth: int) -> str | None:
        left, right = self.text(node.left, depth), self.text(node.right, depth)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        return _join([left, right]) if isinstance(node.op, ast.Div) else None

    def _called(self, node: ast.Call, depth: int) -> str | None:
        called = self.module.qualified(node.func) or _callee(node)
        parts = [self.text(a, depth) for a in node.args]
        texts = [part for part in parts if part is not None]
        if called in ("os.getcwd", "pathlib.Path.cwd"):
            return self.folder
        if not node.args:
            inner = node.func.value if isinstance(node.func, ast.Attribute) else None
            same = called in ("resolve", "absolute", "as_posix")
            return self.text(inner, depth) if inner is not None and same else None
        if len(texts) != len(parts):
            return None
        if called in ("os.path.join", "osp.join"):
            return _join(texts)
        if called == "os.path.dirname":
            return _parent(texts[0])
        plain = (*_HERE, "pathlib.Path", "Path", "os.path.normpath", "os.path.relpath", "os.fspath")
        return _join(texts) if called in plain else None

    # ---- lists of files

    def files(self, node: ast.expr, depth: int = 0) -> tuple[str, ...]:
        """Paths from the repository root, as far as they can be read; globs are answered."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return tuple(f for item in node.elts for f in self.files(item, depth))
        if isinstance(node, ast.Starred):
            return self.files(node.value, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            text = self.text(node, depth)
            if text is None:
                return self.files(node.left, depth) + self.files(node.right, depth)
        if isinstance(node, ast.IfExp):
            return self.files(node.body, depth) + self.files(node.orelse, depth)
        if isinstance(node, ast.Name) and self.text(node, depth) is None:
            if depth >= _PARTS:
                return ()
            parts = (*self.values.get(node.id, ()), *self.grown.get(node.id, ()))
            return tuple(dict.fromkeys(f for p in parts for f in self.files(p, depth + 1)))
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehension(node, depth)
        if isinstance(node, ast.Call):
            listed = self._listing(node, depth)
            if listed is not None:
                return listed
        text = self.text(node, depth)
        return (self._from_root(text),) if text is not None else ()

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, depth: int) -> tuple[str, ...]:
        """`[os.path.join(here, s) for s in names]`: each item in the place of the variable."""
        loop = node.generators[0]
        if len(node.generators) > 1 or not isinstance(loop.target, ast.Name):
            return ()
        items = self._items(loop.iter, depth)
        if not items and isinstance(loop.iter, ast.Call):
            return self.files(loop.iter, depth)
        kept = self.values.get(loop.target.id)
        found: list[str] = []
        for item in items:
            self.values[loop.target.id] = [item]
            found += self.files(node.elt, depth)
        self.values.pop(loop.target.id, None)
        if kept is not None:
            self.values[loop.target.id] = kept
        return tuple(found)

    def _items(self, node: ast.expr, depth: int) -> list[ast.expr]:
        if isinstance(node, ast.List | ast.Tuple):
            return list(node.elts)
        if isinstance(node, ast.Name) and depth < _PARTS:
            parts = (*self.values.get(node.id, ()), *self.grown.get(node.id, ()))
            return [item for part in parts for item in self._items(part, depth + 1)]
        return []

    def _listing(self, call: ast.Call, depth: int) -> tuple[str, ...] | None:
        """`glob.glob(pattern)`, `Path(x).glob(pattern)`, or a wrapper such as sorted(...)."""
        called = self.module.qualified(call.func) or _callee(call)
        if called in ("sorted", "list", "tuple", "set", "map", "filter") and call.args:
            return self.files(call.args[-1] if called in ("map", "filter") else call.args[0], depth)
        if called.rpartition(".")[2] not in ("glob", "rglob", "iglob") or not call.args:
            return None
        pattern = self.text(call.args[0], depth)
        if pattern is None:
            return ()
        if not called.startswith("glob.") and isinstance(call.func, ast.Attribute):
            origin = self.text(call.func.value, depth)
            if origin is None:
                return ()
            deep = "**/" if called.endswith("rglob") else ""
            pattern = _join([origin, deep + pattern])
        return self._glob(self._from_root(pattern))

    def _glob(self, pattern: str) -> tuple[str, ...]:
        parts = re.split(r"(\*\*/|\*|\?|\[[^\]]*\])", pattern)
        special = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
        regex = "".join(
            special.get(
                part, part if part.startswith("[") and part.endswith("]") else re.escape(part)
            )
            for part in parts
        )
        return tuple(p for p in self.paths if re.fullmatch(regex, p))

    def _from_root(self, text: str) -> str:
        """Build scripts run in their own folder; `__file__` already starts at the root."""
        clean = _join([text.removeprefix("./")])
        inside = self.folder and clean.startswith(self.folder + "/")
        return clean if inside or not self.folder else _join([self.folder, clean])


def _choices(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _choices(node.body)
        yield from _choices(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _choices(value)
    else:
        yield node


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    for argument in call.keywords:
        if argument.arg == name:
            return argument.value
    before = call.args[: position + 1]
    if len(before) <= position or any(isinstance(a, ast.Starred) for a in before):
        return None
    return before[position]


def _join(parts: list[str]) -> str:
    joined: list[str] = []
    for part in PurePosixPath(*parts).parts:
        if part == ".." and joined and joined[-1] != "..":
            joined.pop()
        else:
            joined.append(part)
    return str(PurePosixPath(*joined)) if joined else ""


def _parent(path: str) -> str:
    parent = str(PurePosixPath(path).parent)
    return "" if parent == "." else parent
