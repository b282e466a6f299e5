"""Bytes of a Python file to its syntax tree, or to why there is none."""

from __future__ import annotations

import ast
import tokenize
import warnings
from io import BytesIO

from porter.languages.python_imports import is_type_checking
from porter.languages.text import Unreadable


def parse_tree(data: bytes, path: str) -> tuple[ast.Module, str]:
    """The tree of a file, and its encoding. Raises Unreadable with the line and the reason."""
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        encoding = "utf-8" if encoding == "utf-8-sig" else encoding
        data.decode(encoding)
        if b"\0" in data:
            raise Unreadable("contains NUL bytes")
        if b"\r" in data and b"\r" in data.replace(b"\r\n", b""):
            raise Unreadable("has bare carriage returns as line ends")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data, filename=path), encoding
    except SyntaxError as error:
        raise Unreadable(f"line {error.lineno or 1}: {error.msg}") from error
    except (UnicodeDecodeError, LookupError, ValueError) as error:
        raise Unreadable(f"cannot be decoded: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise Unreadable("is nested too deeply to parse") from error


def drop_bodies(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """Take out of a tree what its functions and classes do, which binds no name of the module; give
    all imports that it had, but for type checkers."""
    imports: list[ast.Import | ast.ImportFrom] = []
    blocks: list[list[ast.stmt]] = [tree.body]
    while blocks:
        for statement in blocks.pop():
            if isinstance(statement, ast.Import | ast.ImportFrom):
                imports.append(statement)
                continue
            if not is_type_checking(statement):
                blocks.append(getattr(statement, "body", []))
            inner = (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
            blocks += [part.body for part in inner]
            blocks += [getattr(statement, name, []) for name in ("orelse", "finalbody")]
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                statement.body = []
    return imports
