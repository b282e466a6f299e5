"""`CUDAExtension` in a build script: torch's, or where torch_npu is, that of a file beside it."""

import ast
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.rule import NewFile

MODULE = "torch.utils.cpp_extension"
HELPER = "npu_extension"
TEXT = Path(__file__).with_name(f"{HELPER}.py").read_bytes()
TAKEN = ("BuildExtension", "CUDAExtension", "CUDA_HOME")
TAKING = (f"from {HELPER} import".encode(), f"import {HELPER} as".encode())


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if HELPER.encode() in module.data:
        return
    names = _read_imports(module)
    last = _last_import(module)
    alias = _alias(module)
    calls = list(module.calls_to({f"{MODULE}.CUDAExtension"}))
    if last is None or ("CUDAExtension" not in names and not (alias and calls)):
        for call in calls:
            yield Match(module.span(call.func))
        return
    order = sorted(names.items(), key=lambda item: (not item[0].isupper(), item[0]))
    taken = ", ".join(n if n == own else f"{n} as {own}" for n, own in order)
    taking = f"from {HELPER} import {taken}" if names else ""
    if alias:
        taking += ("\n    " if taking else "") + f"import {HELPER} as {alias}"
    needed = [n for n in ("importlib.util", "os", "sys") if not _has(module, n)]
    known = {"imports": "".join(f"import {n}\n" for n in needed), "taking": taking}
    taken_from = (f"{MODULE}.CUDAExtension", MODULE)
    where = next((a for name, a, _ in module.imports if name in taken_from), None)
    yield Match(module.span(where or calls[0].func), place=Place(module.span(last), known))


def create(facts: ProjectFacts, tree: Mapping[str, bytes]) -> Iterator[NewFile]:
    for script in sorted(facts.build_scripts):
        if script in tree and any(word in tree[script] for word in TAKING):
            yield NewFile(path=posixpath.join(posixpath.dirname(script), f"{HELPER}.py"), data=TEXT)


def _read_imports(module: Module) -> dict[str, str]:
    """The classes that the file imports at its level, and what it calls them."""
    return {
        alias.name: alias.asname or alias.name
        for statement in module.tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == MODULE
        for alias in statement.names
        if alias.name in TAKEN
    }


def _alias(module: Module) -> str:
    """What the file calls torch's module, at its level."""
    for statement in module.tree.body:
        match statement:
            case ast.ImportFrom(module="torch.utils", names=names):
                for name in names:
                    if name.name == "cpp_extension":
                        return name.asname or name.name
            case ast.Import(names=names):
                for name in names:
                    if name.name == MODULE and name.asname:
                        return name.asname
    return ""


def _has(module: Module, name: str) -> bool:
    return any(
        alias.name == name and alias.asname is None
        for statement in module.tree.body
        if isinstance(statement, ast.Import)
        for alias in statement.names
    )


def _last_import(module: Module) -> ast.stmt | None:
    """The last import that stands at the file's level."""
    imports = [s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    return imports[-1] if imports else None
