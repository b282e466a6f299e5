"""The scripts, benchmarks, examples and notebooks beside a library: what is not installed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from porter.languages import python
from porter.model import Language, Package, Program, Role, SourceFile
from porter.survey.packages import lookup

_INSTALLED = (
    ("pyproject", "tool", "setuptools", "py-modules"),
    ("pyproject", "tool", "setuptools", "script-files"),
    ("cfg", "options", "py_modules"),
    ("cfg", "options", "scripts"),
)


def find(
    files: Iterable[SourceFile],
    naming: Collection[str],
    packages: Iterable[Package],
    programs: Iterable[Program],
    stated: Collection[str],
) -> tuple[str, ...]:
    """List them by path; none where no other file than these names torch (is in `naming`), since
    there they are what is to be ported. `stated` is what build scripts and settings name.

    C++ counts as the library's wherever it stands: build scripts may take it from any folder.
    """
    files = list(files)
    if not any(f.role is Role.LIBRARY and f.path in naming for f in files):
        return ()
    folders = tuple(f"{package.path}/" for package in packages if package.path)
    modules = {program.module.replace(".", "/") for program in programs}

    def is_installed(path: str) -> bool:
        stem = path.rpartition(".")[0]
        return path.startswith(folders) or stem in modules or bool({path, stem} & {*stated})

    return tuple(
        f.path
        for f in files
        if f.role is Role.ENTRY
        and f.language in (Language.PYTHON, Language.NOTEBOOK)
        and not is_installed(f.path)
    )


def stated_names(scripts: Iterable[python.Module], settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield each text in build scripts, and the modules and scripts that settings install."""
    for module in scripts:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    for place in _INSTALLED:
        found = lookup(settings, *place) or ()
        yield from found.replace(",", " ").split() if isinstance(found, str) else map(str, found)
