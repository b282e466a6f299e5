"""Bytes of a file to the document of its language."""

from __future__ import annotations

from typing import TypeAlias

from porter.languages import cmake, cpp, cython, notebook, python, toml
from porter.model import Language

Document: TypeAlias = python.Module | cpp.Unit | cython.Document | cmake.Document | toml.Document


def read(
    data: bytes,
    path: str,
    language: Language,
    package: str = "",
    elsewhere: python.Elsewhere | None = None,
) -> Document:
    """Parse a file by its language; of a notebook, the text of its Python cells. Raises
    porter.languages.python.Unreadable with the reason."""
    match language:
        case Language.PYTHON:
            return python.parse(data, path, package, elsewhere)
        case Language.NOTEBOOK:
            return python.parse(notebook.parse(data).text, path, package, elsewhere)
        case Language.CYTHON:
            return cython.parse(data, path)
        case Language.CPP:
            return cpp.parse(data, path)
        case Language.CMAKE:
            return cmake.parse(data, path)
        case Language.TOML:
            return toml.parse(data, path)
