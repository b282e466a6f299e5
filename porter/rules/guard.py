"""The lines that make `import torch` mean the target, and where they go in a Python file."""

from __future__ import annotations

import ast
import sys

from porter.languages.python import Module
from porter.languages.python_imports import is_type_checking
from porter.model import UNIT, Match, Place, ProjectFacts, Span
from porter.targets.proxy import Proxy

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# What tests and scripts import and what does not import torch: the guard may stand after it.
HARMLESS = frozenset(sys.stdlib_module_names) | {
    *("_pytest", "hypothesis", "parameterized", "pluggy", "pytest"),
    *("distutils", "packaging", "pkg_resources", "setuptools", "six", "wheel"),
    *("absl", "attr", "click", "colorama", "dacite", "dotenv", "fire", "hydra", "jinja2"),
    *(
        "omegaconf",
        "prettytable",
        "psutil",
        "pydantic",
        "pynvml",
        "requests",
        "rich",
        "tabulate",
        "termcolor",
    ),
    *("tqdm", "typer", "typing_extensions", "wget", "yaml"),
    *("IPython", "ipywidgets", "recommonmark", "sphinx"),
    *("PIL", "cuda", "cv2", "imageio", "jax", "matplotlib", "ml_dtypes", "networkx", "numpy"),
    *("pandas", "scipy", "seaborn", "sklearn", "sympy"),
}
NOT_TORCHS = frozenset({"Extension", "Pybind11Extension"})  # of setuptools and pybind11
LOADERS = frozenset({"exec_module", "import_module", "run_module", "run_path", "__import__"})


def enables_proxy(module: Module, proxy: Proxy) -> bool:
    """Whether the file enables (or decides about) the proxy itself already."""
    return completes_proxy(module, proxy) or any(
        (name.partition(".")[0] == proxy.package and name.rpartition(".")[2] in proxy.enablers)
        or runs_unit(call)
        for name, call in module.calls()
    )


def completes_proxy(module: Module, proxy: Proxy) -> bool:
    """Whether the file imports the package that enables the proxy and completes it."""
    return any(name.partition(".")[0] == proxy.completion for name, _, _ in module.imports)


def builds_for_torch(facts: ProjectFacts) -> bool:
    """Whether a build script has extensions of torch's classes, which it imports."""
    return any(extension.kind not in NOT_TORCHS for extension in facts.extensions)


def runs_unit(node: ast.AST) -> bool:
    """Whether a node is `runpy.run_path(...)` of the vendored unit's enable.py."""
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "run_path":
        return False
    texts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    words = [word for text in texts for word in str(text).split("/")]
    return UNIT in words and "enable.py" in words


def first_torch_import(module: Module) -> ast.stmt | None:
    """The first top-level statement that is, or contains, an import of torch.

    Imports for type checkers only are not run, and do not count.
    """
    for statement in module.tree.body:
        if is_type_checking(statement):
            continue
        if any(imports_package(node, "torch") for node in ast.walk(statement)):
            return statement
    return None


def first_foreign_import(module: Module) -> ast.stmt | None:
    """The first top-level import of what could import torch: neither Python's own nor harmless."""
    return next(filter(foreign_import, module.tree.body), None)


def foreign_import(statement: ast.stmt) -> ast.AST | None:
    """The first import in a statement of what could import torch."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Import | ast.ImportFrom) and not _harmless(node):
            return node
    return None


def first_loading(module: Module) -> tuple[ast.stmt, ast.AST] | None:
    """What may import torch first when a script is run, or asks whether it is there, and the
    top-level statement it is in: an import that is not harmless, or a call that loads a module;
    what functions do is done later."""
    for statement in module.tree.body:
        if isinstance(statement, DEFINITIONS) or is_type_checking(statement):
            continue
        for node in ast.walk(statement):
            if _may_load(node):
                return statement, node
    return None


def brings_torch(module: Module, facts: ProjectFacts, statement: ast.AST) -> str | None:
    """What a statement imports that is torch, or a module of the project that imports it."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Import | ast.ImportFrom)]
    if any(imports_package(node, "torch") for node in nodes):
        return "torch"
    folder = module.path.rpartition("/")[0]
    own = {package.name.partition(".")[0] for package in facts.packages}
    for node in nodes:
        for name, names in _modules(node):
            if _is_of_torch(module, folder, own, names):
                return name
    return None


def _is_of_torch(module: Module, folder: str, own: set[str], names: list[str]) -> bool:
    """Whether one of these names is of the project and imports torch, as far as can be told."""
    tree = module.elsewhere
    if tree is None:
        return any(name.partition(".")[0] in own for name in names)
    return any(
        tree.is_own(name.partition(".")[0], folder) and tree.imports_torch(name, folder)
        for name in names
    )


def is_main(statement: ast.stmt) -> bool:
    """Whether it is `if __name__ == "__main__"`, and does something."""
    if not isinstance(statement, ast.If) or "__name__" not in ast.dump(statement.test):
        return False
    return any(not isinstance(each, ast.Pass) for each in statement.body)


def _modules(node: ast.Import | ast.ImportFrom) -> list[tuple[str, list[str]]]:
    """Each module that is imported, with the names by which it or its own are."""
    if isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        return [(node.module, names)] if node.module and not node.level else []
    return [(alias.name, [alias.name]) for alias in node.names]


def asks_for_torch(node: ast.AST) -> bool:
    """Whether a node is `find_spec("torch")`: with the proxy enabled the answer is yes."""
    match node:
        case ast.Call(
            ast.Attribute(attr="find_spec") | ast.Name("find_spec"), [ast.Constant(name)]
        ):
            return str(name).partition(".")[0] == "torch"
    return False


def _may_load(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        loads = getattr(node.func, "attr", getattr(node.func, "id", "")) in LOADERS
        return loads or asks_for_torch(node)
    return isinstance(node, ast.Import | ast.ImportFrom) and not _harmless(node)


def imports_package(node: ast.AST, package: str) -> bool:
    """Whether a node is an import of a package or of something in it."""
    return isinstance(node, ast.Import | ast.ImportFrom) and package in _packages(node)


def guard(module: Module, before: ast.stmt | None) -> Match:
    """The place above a top-level statement where the rule's codemod enables the proxy: after the
    imports where there is none, or it is a definition."""
    body = module.tree.body
    known = {"before": str(body.index(before))} if before is not None else {}
    if before is None or isinstance(before, DEFINITIONS):
        known["after_imports"] = "yes"
    span = module.span(before) if before is not None else _span_below_imports(module)
    return Match(span, place=Place(span, known))


def _span_below_imports(module: Module) -> Span:
    """The line below the last import (or docstring) of the file's level; the end where none is."""
    headers = [
        statement
        for statement in module.tree.body
        if isinstance(statement, ast.Import | ast.ImportFrom)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
    ]
    newline = module.data.find(b"\n", module.span(headers[-1]).end) if headers else -1
    at = newline + 1 or len(module.data)
    return Span(at, at)


def _harmless(node: ast.Import | ast.ImportFrom) -> bool:
    return all(package in HARMLESS for package in _packages(node))


def _packages(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {"" if node.level else (node.module or "").partition(".")[0]}
    return {alias.name.partition(".")[0] for alias in node.names}
