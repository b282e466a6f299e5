"""Bytes of a file to the document of its language."""

from __future__ import annotations

from typing import TypeAlias

from porter.languages import cmake, cpp, python, toml
from porter.model import Language

Document: TypeAlias = python.Module | cpp.Unit | cmake.Document | toml.Document


def read(data: bytes, path: str, language: Language, package: str = "") -> Document:
    """Parse a file by its language. Raises porter.languages.python.Unreadable with the reason."""
    if language is Language.PYTHON:
        return python.parse(data, path, package)
    return {Language.CPP: cpp.parse, Language.CMAKE: cmake.parse, Language.TOML: toml.parse}[
        language
    ](data, path)
