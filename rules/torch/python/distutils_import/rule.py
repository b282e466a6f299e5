"""`from distutils.core import setup`: setuptools has what build scripts take from distutils."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

# Module -> the one of setuptools, and the names that both have.
MODULES = {
    "distutils.core": ("setuptools", {"Command", "Distribution", "Extension", "setup"}),
    "distutils.extension": ("setuptools", {"Extension"}),
    "distutils.dist": ("setuptools", {"Distribution"}),
    "distutils.cmd": ("setuptools", {"Command"}),
}
COMMANDS = frozenset(
    {"bdist_egg", "build", "build_clib", "build_ext", "build_py", "install", "install_lib"}
    | {"install_scripts", "sdist"}
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for node in module.nodes_of(ast.ImportFrom):
        if node.level or not (node.module or "").startswith("distutils."):
            continue
        name = node.module or ""
        new = _find_module(name, {alias.name for alias in node.names})
        guarded = any(isinstance(outer, ast.Try) for outer in module.ancestors(node))
        text = module.text(node)
        if new and not guarded and text.count(name) == 1:
            edit = module.replace(node, text.replace(name, new))
            yield Match(module.span(node), (edit,), name=name)


def _find_module(name: str, imported: set[str]) -> str:
    """The module of setuptools that has all of these names; empty where there is none."""
    package, _, command = name.rpartition(".")
    if package == "distutils.command" and command in COMMANDS and imported == {command}:
        return f"setuptools.command.{command}"
    other, names = MODULES.get(name, ("", set[str]()))
    return other if imported <= names else ""
