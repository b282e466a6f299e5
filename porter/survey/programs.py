"""The programs and pytest plugins that a project installs: modules that start before any guard."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from porter.languages import python
from porter.model import Package, Program
from porter.survey.packages import lookup
from porter.uses.reexports import Reexports, package_of

PLUGINS = "pytest11"
COMMANDS = ("console_scripts", "gui_scripts", PLUGINS)
_POINT = re.compile(r"([\w.-]+)\s*=\s*([A-Za-z_][\w.]*)\s*(?::\s*([\w.]+))?")


def find(
    packages: Iterable[Package],
    paths: frozenset[str],
    settings: Mapping[str, Any],
    scripts: Iterable[python.Module],
) -> tuple[Program, ...]:
    """What pyproject.toml, setup.cfg and setup.py state, and packages that `python -m` runs."""
    found = [*_read_stated(settings)]
    for module in scripts:
        found += _read_setup(module)
    for package in packages:
        if f"{package.path}/__main__.py" in paths:
            found.append(Program(f"python -m {package.name}", f"{package.name}.__main__", ""))
    return tuple(dict.fromkeys(found))


def select_torch_programs(
    programs: Iterable[Program], elsewhere: Reexports, packages: tuple[Package, ...]
) -> tuple[Program, ...]:
    """Those whose module, or a module of the project that it imports, imports torch then."""
    return tuple(p for p in programs if _reaches(p.module, elsewhere, packages))


def _read_stated(settings: Mapping[str, Any]) -> Iterator[Program]:
    project = lookup(settings, "pyproject", "project")
    tables = [
        ("console_scripts", lookup(settings, "pyproject", "project", "scripts")),
        ("gui_scripts", lookup(settings, "pyproject", "project", "gui-scripts")),
        ("console_scripts", lookup(settings, "pyproject", "tool", "poetry", "scripts")),
        (PLUGINS, lookup(settings, "pyproject", "tool", "poetry", "plugins", PLUGINS)),
        (PLUGINS, lookup({"project": project}, "project", "entry-points", PLUGINS)),
    ]
    for group, table in tables:
        for name, target in table.items() if isinstance(table, Mapping) else ():
            yield from _points(group, f"{name}={target}")
    for group in COMMANDS:
        yield from _points(group, str(lookup(settings, "cfg", "options.entry_points", group) or ""))


def _read_setup(module: python.Module) -> Iterator[Program]:
    """`setup(entry_points=...)`, where it is a literal."""
    for call in module.nodes_of(ast.Call):
        for keyword in call.keywords:
            if keyword.arg != "entry_points":
                continue
            try:
                value = ast.literal_eval(keyword.value)
            except (ValueError, TypeError, RecursionError):
                continue
            for group in COMMANDS if isinstance(value, dict) else ():
                points = value.get(group, ())
                points = points.split("\n") if isinstance(points, str) else points
                for point in points if isinstance(points, (list, tuple)) else ():
                    yield from _points(group, str(point))


def _points(group: str, text: str) -> Iterator[Program]:
    for name, module, function in _POINT.findall(text):
        yield Program("" if group == PLUGINS else name, module, function)


def _reaches(module: str, elsewhere: Reexports, packages: tuple[Package, ...]) -> bool:
    seen = {module}
    queue = [module]
    while queue:
        words = queue.pop().split(".")
        for count in range(1, len(words) + 1):
            name = ".".join(words[:count])
            path = elsewhere.path(name, "")
            for imported in _find_imports(path, elsewhere, packages) if path else ():
                if imported.partition(".")[0] == "torch":
                    return True
                if imported not in seen:
                    seen.add(imported)
                    queue.append(imported)
    return False


def _find_imports(path: str, elsewhere: Reexports, packages: tuple[Package, ...]) -> Iterator[str]:
    """What a module imports when it is imported itself: not in functions."""
    try:
        data = (elsewhere.root / path).read_bytes()
        module = python.parse(data, path, package_of(path, packages))
    except (OSError, python.Unreadable):
        return
    inside = {
        node
        for function in (*module.nodes_of(ast.FunctionDef), *module.nodes_of(ast.AsyncFunctionDef))
        for node in ast.walk(function)
    }
    for name, _, statement in module.imports:
        if statement not in inside:
            yield name
