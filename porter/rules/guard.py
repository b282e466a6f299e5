"""The lines that make `import torch` mean the target, and where they go in a Python file."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import UNIT, Edit, Match, ProjectFacts, Span, Style
from porter.targets.protocol import Proxy

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# What tests and scripts import and what does not import torch: the guard may stand after it.
HARMLESS = frozenset(sys.stdlib_module_names) | {
    *("_pytest", "hypothesis", "parameterized", "pluggy", "pytest"),
    *("distutils", "packaging", "pkg_resources", "setuptools", "wheel"),
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
LOADERS = frozenset({"exec_module", "import_module", "run_module", "run_path", "__import__"})


def enabled(module: Module, proxy: Proxy) -> bool:
    """Whether the file enables (or decides about) the proxy itself already."""
    return any(
        (name.partition(".")[0] == proxy.package and name.rpartition(".")[2] in proxy.enablers)
        or runs_unit(call)
        for name, call in module.calls()
    )


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
        if _type_checking(statement):
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
        if isinstance(statement, DEFINITIONS) or _type_checking(statement):
            continue
        for node in ast.walk(statement):
            if _may_load(node):
                return statement, node
    return None


def brings_torch(module: Module, facts: ProjectFacts, statement: ast.AST) -> str | None:
    """What a statement imports that is torch, a package of the project, or a file of it that
    imports torch."""
    nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Import | ast.ImportFrom)]
    for package in ("torch", *_own_packages(facts)):
        if any(imports_package(node, package) for node in nodes):
            return package
    folder = module.path.rpartition("/")[0]
    for name in (name for node in nodes for name in _modules(node)):
        origins = module.elsewhere.public(name, folder).values() if module.elsewhere else ()
        if any(origin.partition(".")[0] == "torch" for origin in origins):
            return name
    return None


def is_main(statement: ast.stmt) -> bool:
    """Whether it is `if __name__ == "__main__"`."""
    return isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test)


def _own_packages(facts: ProjectFacts) -> dict[str, None]:
    return dict.fromkeys(package.name.partition(".")[0] for package in facts.packages)


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module] if node.module and not node.level else []
    return [alias.name for alias in node.names]


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


def guard(module: Module, before: ast.stmt | None, style: Style, proxy: Proxy) -> Match:
    """Enable the proxy before a top-level statement, or after the imports where there is none."""
    at = _place(module, before)
    if style is Style.FORK:
        blank = "" if isinstance(before, ast.Import | ast.ImportFrom) else _above(module, at.start)
        text = f"{blank}{proxy.unguarded}{_below(module, at.start)}"
        edits: tuple[Edit, ...] = (Edit(at, module.encode(text)),)
    else:
        edits = tuple(_dual(module, at, proxy))
    where = module.span(before) if before is not None else at
    return Match(where, edits)


def _dual(module: Module, at: Span, proxy: Proxy) -> Iterator[Edit]:
    missing = [name for name in proxy.imports if not _imported(module, name, at.start)]
    imports = "".join(f"import {name}\n" for name in missing)
    first = _first_import(module, at.start, proxy.imports[0])
    above, below = _above(module, at.start), _below(module, at.start)
    if first is None and imports:  # nothing stands before the guard to put them with
        yield Edit(at, module.encode(f"{above}{imports}\n{proxy.guard}{below}"))
        return
    if imports and first is not None:
        yield Edit(first, module.encode(imports))
    yield Edit(at, module.encode(f"{above}{proxy.guard}{below}"))


def _place(module: Module, before: ast.stmt | None) -> Span:
    """Where the guard goes: the line of a statement, or that after docstring and imports."""
    if before is not None and not isinstance(before, ast.FunctionDef | ast.ClassDef):
        return _line_of(module, before)
    last: ast.stmt | None = None
    for statement in module.tree.body:
        if statement is before:
            break
        leading = last is None or _is_header(last)
        if _is_header(statement) and leading:
            last = statement
    if last is None:
        return _line_of(module, before) if before is not None else _end(module)
    return _next_line(module, last)


def _line_of(module: Module, statement: ast.stmt) -> Span:
    decorators = getattr(statement, "decorator_list", [])
    return module.line_start(decorators[0] if decorators else statement)


def _next_line(module: Module, statement: ast.stmt) -> Span:
    newline = module.data.find(b"\n", module.span(statement).end)
    end = len(module.data) if newline == -1 else newline + 1
    return Span(end, end)


def _end(module: Module) -> Span:
    return Span(len(module.data), len(module.data))


def _is_header(statement: ast.stmt) -> bool:
    docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return docstring or isinstance(statement, ast.Import | ast.ImportFrom)


def _first_import(module: Module, before: int, name: str) -> Span | None:
    """The line above a place where `import x` may be added: in the alphabet's order among the
    plain imports that the file begins with, else before the first import."""
    first: Span | None = None
    for statement in module.tree.body:
        if not _is_header(statement):
            break
        if not isinstance(statement, ast.Import):
            if not _is_future(statement) and isinstance(statement, ast.ImportFrom):
                return first or _above_place(module, statement, before)
            continue
        line = _above_place(module, statement, before)
        if line is None:
            return first
        first = first or line
        if statement.names[0].name > name:
            return line
    return first


def _above_place(module: Module, statement: ast.stmt, place: int) -> Span | None:
    line = module.line_start(statement)
    return line if line.start < place else None


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _imported(module: Module, name: str, before: int) -> bool:
    """Whether `import name` stands at module level above a place."""
    for statement in module.tree.body:
        if module.span(statement).end > before:
            return False
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                same = alias.name == name or (name == "os" and alias.name.startswith("os."))
                if same and alias.asname is None:
                    return True
    return False


def _above(module: Module, at: int) -> str:
    """The empty line the guard needs above it: none after an empty line or at the beginning."""
    before = module.data[:at]
    if not before.strip(b" \t\xef\xbb\xbf") or before.endswith((b"\n\n", b"\n\r\n")):
        return ""
    return "\n" if before.endswith(b"\n") else "\n\n"


def _below(module: Module, at: int) -> str:
    """The empty line the guard needs below it: none before an empty line or at the end."""
    after = module.data[at:]
    return "\n" if after.strip() and not after.startswith((b"\n", b"\r\n")) else ""


def _type_checking(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If):
        return False
    test = statement.test
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))


def _harmless(node: ast.Import | ast.ImportFrom) -> bool:
    return all(package in HARMLESS for package in _packages(node))


def _packages(node: ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        return {"" if node.level else (node.module or "").partition(".")[0]}
    return {alias.name.partition(".")[0] for alias in node.names}
