"""What the import statements of Python say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

LOADERS = ("importlib.import_module", "pytest.importorskip")  # of a module, by its whole name


def loaded_module(call: ast.Call, called: str | None) -> str | None:
    """The module that a call gives by its name, as `pytest.importorskip("torch.nn")` does."""
    name = call.args[0] if called in LOADERS and call.args else None
    given = name.value if isinstance(name, ast.Constant) else None
    return given if isinstance(given, str) and not given.startswith(".") else None


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that a statement imports from, also where it says it from its own package on."""
    if not node.level:
        return node.module or ""
    parts = package.split(".") if package else []
    parts = parts[: len(parts) - node.level + 1]
    return ".".join(filter(None, [*parts, node.module or ""]))


def imported(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, ast.alias]]:
    """The qualified name of each thing that a statement imports, with where it says so."""
    base = f"{absolute(node, package)}." if isinstance(node, ast.ImportFrom) else ""
    return ((base + alias.name, alias) for alias in node.names)


def is_type_checking(statement: ast.AST) -> bool:
    """Whether it is `if TYPE_CHECKING`, of which nothing is run."""
    test = statement.test if isinstance(statement, ast.If) else None
    return "TYPE_CHECKING" in (getattr(test, "id", ""), getattr(test, "attr", ""))
