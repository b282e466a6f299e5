"""Constants of a script read from its syntax: strings, paths, lists of files, globs."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath

from porter.languages.python import Module
from porter.languages.python_tree import callee

DEPTH = 3  # how far variables are followed into variables
_HERE = {"os.path.dirname", "os.path.abspath", "os.path.realpath", "os.getcwd", "str"}


class Constants:
    """Reads constants of one script: names assigned once, paths, lists and globs of them."""

    def __init__(self, module: Module, paths: tuple[str, ...]) -> None:
        self.module = module
        self.folder = module.path.rpartition("/")[0]
        self.paths = paths
        self.values: dict[str, list[ast.expr]] = {}
        self.grown: dict[str, list[ast.expr]] = {}
        self._open: set[str] = set()  # variables being followed
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

    # ---- constants

    def text(self, node: ast.expr, depth: int = 0) -> str | None:
        """A string constant, through names assigned once, `+`, f-strings and path joining."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.Name):
            if node.id == "__file__":
                return self.module.path
            values = self.values.get(node.id, [])
            if len(values) != 1 or depth >= DEPTH:
                return None
            return self.text(values[0], depth + 1)
        if isinstance(node, ast.JoinedStr):
            parts = [
                self.text(p.value if isinstance(p, ast.FormattedValue) else p, depth)
                for p in node.values
            ]
            return None if None in parts else "".join(p for p in parts if p is not None)
        if isinstance(node, ast.BinOp):
            return self._join_parts(node, depth)
        if isinstance(node, ast.Attribute) and node.attr in ("parent",):
            inner = self.text(node.value, depth)
            return None if inner is None else _parent(inner)
        return self._evaluate_call(node, depth) if isinstance(node, ast.Call) else None

    def _join_parts(self, node: ast.BinOp, depth: int) -> str | None:
        left, right = self.text(node.left, depth), self.text(node.right, depth)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        return _join([left, right]) if isinstance(node.op, ast.Div) else None

    def _evaluate_call(self, node: ast.Call, depth: int) -> str | None:
        called = self.module.resolve(node.func) or callee(node)
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
            return self._variable(node.id, depth)
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._comprehension(node, depth)
        if isinstance(node, ast.Call):
            listed = self._listing(node, depth)
            if listed is not None:
                return listed
        text = self.text(node, depth)
        return (self._strip_root(text),) if text is not None else ()

    def _variable(self, name: str, depth: int) -> tuple[str, ...]:
        """All that a list variable is given; `s = s + [...]` does not go round."""
        if depth >= DEPTH or name in self._open:
            return ()
        self._open.add(name)
        parts = (*self.values.get(name, ()), *self.grown.get(name, ()))
        found = tuple(dict.fromkeys(f for p in parts for f in self.files(p, depth + 1)))
        self._open.discard(name)
        return found

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
        if isinstance(node, ast.Name) and depth < DEPTH:
            parts = (*self.values.get(node.id, ()), *self.grown.get(node.id, ()))
            return [item for part in parts for item in self._items(part, depth + 1)]
        return []

    def _listing(self, call: ast.Call, depth: int) -> tuple[str, ...] | None:
        """`glob.glob(pattern)`, `Path(x).glob(pattern)`, or a wrapper such as sorted(...)."""
        called = self.module.resolve(call.func) or callee(call)
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
        return self._glob(self._strip_root(pattern))

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

    def _strip_root(self, text: str) -> str:
        """Build scripts run in their own folder; `__file__` already starts at the root."""
        clean = _join([text.removeprefix("./")])
        inside = self.folder and clean.startswith(self.folder + "/")
        return clean if inside or not self.folder else _join([self.folder, clean])


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
