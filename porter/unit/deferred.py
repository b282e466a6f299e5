"""Which modules of pieces only define things, and so can be imported at their first use."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping

_ACTING = {"setattr", "delattr", "getattr", "hasattr", "dir", "vars", "globals"} | {
    "exec",
    "eval",
    "print",
    "open",
    "__import__",
}
_REPLACED = ("Tensor", "Layer")  # classes whose members pieces replace
_DEFINING = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)


def deferred(sources: Mapping[str, str]) -> set[str]:
    """The modules, by name and source, that nothing needs before one of their names is used."""
    bodies = {name: ast.parse(source).body for name, source in sources.items()}
    pure = _pure_names(bodies)
    now = {name for name, body in bodies.items() if not _only_defines(body, pure[name])}
    ahead = [*now]
    while ahead:
        needed = {*_imported(bodies[ahead.pop()])} & bodies.keys() - now
        now |= needed
        ahead += needed
    return {*bodies} - now


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The modules beside it that a module imports when it is imported."""
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield node.module or ""


def _pure_names(bodies: Mapping[str, Iterable[ast.stmt]]) -> dict[str, set[str]]:
    """Of each module, what it may call: Python's own functions, and those of its own and of the
    modules beside it that only make a function or a class."""
    pure: dict[str, set[str]] = {}
    makers: dict[str, dict[str, ast.FunctionDef]] = {}
    for name, body in bodies.items():
        imports = (node for node in body if isinstance(node, ast.Import | ast.ImportFrom))
        pure[name] = {*dir(builtins)} - _ACTING
        pure[name] |= {each for node in imports for each in _standard(node)}
        makers[name] = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    known = -1
    while known != (known := sum(map(len, pure.values()))):
        for name, body in bodies.items():
            for node in body:
                if isinstance(node, ast.ImportFrom) and node.level and node.module in makers:
                    pure[name] |= {
                        f"{mark}{alias.asname or alias.name}"
                        for alias in node.names
                        for mark in ("", "@")
                        if alias.name in makers[node.module]
                        and f"{mark}{alias.name}" in pure[node.module]
                    }
            pure[name] |= {
                each for each, node in makers[name].items() if _only_makes(node, pure[name])
            }
            pure[name] |= {f"@{each}" for each, node in makers[name].items() if _only_marks(node)}
    return pure


def _only_makes(maker: ast.FunctionDef, pure: set[str]) -> bool:
    """Whether all that a function does is to define what it returns."""
    held = {each.arg for each in ast.walk(maker.args) if isinstance(each, ast.arg)}
    made = {each.name for each in maker.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    return all(
        _defines(node, pure - held, made)
        if not isinstance(node, ast.Return)
        else all(_root(called) in pure - held for called in _called_now(node))
        for node in maker.body
    )


def _only_marks(marker: ast.FunctionDef) -> bool:
    """Whether a function only sets attributes of its argument, and returns it: as a decorator it
    changes nothing but the function that is being defined."""
    argument = {each.arg for each in marker.args.args}
    return len(argument) == 1 and all(
        _defines(node, set(), argument)
        if not isinstance(node, ast.Return)
        else isinstance(node.value, ast.Name) and node.value.id in argument
        for node in marker.body
    )


def _only_defines(body: Iterable[ast.stmt], pure: set[str]) -> bool:
    """Whether importing a module does nothing that other modules can see, or that depends on when
    it is done: its statements define names, calling what is pure at most."""
    return all(_defines(node, pure) for node in body)


def _standard(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The names by which a statement imports something of the standard library, but for modules
    that give access to the process."""
    for alias in node.names:
        module = node.module if isinstance(node, ast.ImportFrom) else alias.name
        root = (module or "").partition(".")[0]
        if root in sys.stdlib_module_names - {"sys", "os", "atexit", "types", "importlib"}:
            yield alias.asname or alias.name.partition(".")[0]


def _defines(node: ast.stmt, pure: set[str], made: Collection[str] = ()) -> bool:
    """Whether a statement defines names, or attributes of what is `made` here, or is a text."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    targets = node.targets if isinstance(node, ast.Assign) else []
    named = all(
        isinstance(each, ast.Name | ast.Tuple)
        or (isinstance(each, ast.Attribute) and ast.unparse(each.value) in made)
        for each in targets
    )
    torchs = isinstance(node, ast.Import | ast.ImportFrom) and "torch" in ast.unparse(node).split()
    if isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'":
        return True  # it is imported
    if isinstance(node, ast.FunctionDef):
        pure = pure | {each[1:] for each in pure if each.startswith("@")}
    return (
        isinstance(node, _DEFINING)
        and named
        and not torchs
        and all(_root(called) in pure for called in _called_now(node))
    )


def _called_now(node: ast.AST) -> Iterator[ast.expr]:
    """What is called when a statement is run, and which members of its classes are read,
    which other pieces replace: not what the functions in it call when they are."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        inner: list[ast.AST] = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    else:
        inner = [*ast.iter_child_nodes(node)]
    if isinstance(node, ast.Call) and not _reads_attribute(node):
        yield node.func
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
        yield from [node] if node.value.attr in _REPLACED else []
    for each in inner:
        yield from _called_now(each)


def _reads_attribute(call: ast.Call) -> bool:
    """Whether a call is `getattr(module.part, ...)`, of nothing whose members pieces replace."""
    owner = call.args[0] if call.args else None
    return (
        ast.unparse(call.func) == "getattr"
        and isinstance(owner, ast.Attribute | ast.Name)
        and ast.unparse(owner).rpartition(".")[2] not in _REPLACED
    )


def _root(called: ast.expr) -> str:
    """The name that a called function is reached from; of a literal, its type's."""
    if ast.unparse(called) in ("os.path.abspath", "os.path.dirname", "os.path.join"):
        return "str"
    while isinstance(called, ast.Attribute | ast.Call):
        called = called.value if isinstance(called, ast.Attribute) else called.func
    if isinstance(called, ast.Constant):
        return "str"
    return called.id if isinstance(called, ast.Name) else ""
