"""The environment variables by which a build script itself is told which device to build for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from porter.languages.data import read_syntax
from porter.model import Device

# Conventional names; only those that the build script reads are ever set.
_CPU_ONLY = re.compile(r"(?:^|_)(?:FORCE_(?:ONLY_)?CPU|(?:FORCE_)?CPU_ONLY|ONLY_CPU)$")
_NO_CUDA = re.compile(r"(?:^|_)(?:FORCE_)?(?:NO|DISABLE|SKIP|WITHOUT)_CUDA(?:_EXT|_BUILD)?$")
_CUDA = re.compile(r"(?:^|_)(?:USE|WITH|ENABLE|BUILD|FORCE)_CUDA(?:_EXT|_BUILD)?$")
_READERS = {"getenv", "get", "environ", "pop", "setdefault"}


def switches(root: Path, scripts: Iterable[str], device: Device) -> dict[str, str]:
    """The switches among the variables that the build scripts read, set for a device."""
    names = sorted({name for script in scripts for name in read_variables(root / script)})
    found = ((name, _setting(name, device)) for name in names)
    return {name: setting for name, setting in found if setting is not None}


def _setting(name: str, device: Device) -> str | None:
    cpu = device is Device.CPU
    if _CPU_ONLY.search(name) or _NO_CUDA.search(name):
        return "1" if cpu else None
    if _CUDA.search(name):
        return "0" if cpu else "1"
    return None


def read_variables(script: Path) -> frozenset[str]:
    """Names of environment variables that a Python file reads, as far as they are literal."""
    try:
        tree = read_syntax(script.read_bytes())
    except (OSError, SyntaxError, ValueError):  # nothing can be said: nothing is set
        return frozenset()
    return frozenset(_names(tree))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            reader = node.func
            last = reader.attr if isinstance(reader, ast.Attribute) else getattr(reader, "id", "")
            # Build scripts often wrap os.getenv in a function of their own: `env_flag("NAME")`.
            if last in _READERS or "env" in last.lower():
                yield from _literal(node.args[0])
        elif isinstance(node, ast.Subscript) and _is_environ(node.value):
            yield from _literal(node.slice)
        elif isinstance(node, ast.Compare) and any(map(_is_environ, node.comparators)):
            yield from _literal(node.left)


def _is_environ(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "environ"


def _literal(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
