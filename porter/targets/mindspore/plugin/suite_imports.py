"""The imports of a test for torch -> those of one for a plugin."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Mapping

from porter.targets.mindspore.plugin.source import KNOWN, Plugin

Import = ast.Import | ast.ImportFrom


def names_of_import(statement: Import, path: str) -> dict[str, str]:
    """Name -> the whole name of what an import in this file has it mean."""
    if isinstance(statement, ast.ImportFrom):
        module = module_of(statement, path)
        return {alias.asname or alias.name: f"{module}.{alias.name}" for alias in statement.names}
    return {
        alias.asname or alias.name.partition(".")[0]: alias.name
        if alias.asname
        else alias.name.partition(".")[0]
        for alias in statement.names
    }


def module_of(statement: ast.ImportFrom, path: str) -> str:
    """What `from` names, from the root of the tree where it is relative."""
    folder = path
    for _ in range(statement.level):
        folder = posixpath.dirname(folder)
    words = folder.split("/") if statement.level and folder else []
    return ".".join([*words, *([statement.module] if statement.module else [])])


def convert_import(
    statement: Import, path: str, plugin: Plugin, local: Mapping[str, Mapping[str, str]]
) -> str:
    """What stands for it; nothing if the plugin's tests need none of it."""
    if isinstance(statement, ast.Import):
        names = [*_modules(statement, plugin, local)]
        return f"import {', '.join(names)}" if names else ""
    module = module_of(statement, path)
    root = module.partition(".")[0]
    if root == plugin.package:
        there = [alias for alias in statement.names if plugin.has(f"{module}.{alias.name}")]
        said = plugin.own + module[len(root) :]
    else:
        there = [a for a in statement.names if _is_there(f"{module}.{a.name}", module, local)]
        said = "." * statement.level + (statement.module or "")
    return f"from {said} import {', '.join(map(_spell, there))}" if there else ""


def _modules(
    statement: ast.Import, plugin: Plugin, local: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    for alias in statement.names:
        root = alias.name.partition(".")[0]
        if root == plugin.package and plugin.has(alias.name):
            yield _spell(ast.alias(plugin.own + alias.name[len(root) :], alias.asname))
        elif root in KNOWN or alias.name in local:
            yield _spell(alias)


def _is_there(name: str, module: str, local: Mapping[str, Mapping[str, str]]) -> bool:
    if module in local:
        return name.rpartition(".")[2] not in local[module]
    return name in local or name.partition(".")[0] in KNOWN


def _spell(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name
