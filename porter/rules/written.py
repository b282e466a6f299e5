"""The files of rule folders: Python imported; TOML read, each key with file, key and remedy."""

from __future__ import annotations

import difflib
import importlib.util
import sys
import tomllib
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from porter.errors import RuleError
from porter.host.home import page
from porter.languages.data import read_toml

T = TypeVar("T")
Reader = Callable[[Any], Any]

RULE_HINT = f"{page('how-to/add-a-rule.md')} lists the keys of a rule"


def load_toml(path: Path) -> dict[str, Any]:
    """The table of a file. Raises RuleError where it cannot be read."""
    try:
        return read_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {error}", hint=RULE_HINT) from error


def import_file(path: Path) -> ModuleType:
    """Import one file of a rule folder under a name of its own.

    Raises RuleError with what the file raised.
    """
    name = "_".join(("porter_rule", *path.parts[-4:-1], path.stem))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the code of a rule raises, it is that rule's fault
        raise RuleError(f"{path}: {type(error).__name__}: {error}", hint=RULE_HINT) from error
    return module


def check_table(
    path: Path, table: Mapping[str, Any], keys: Mapping[str, Reader], required: tuple[str, ...]
) -> dict[str, Any]:
    """The values of a table, each read by its key's reader.

    Raises RuleError with file and key for an unknown key (and the nearest known
    one), a missing key, or a value of another type.
    """
    for key in table:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, n=1)
            remedy = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(keys)}"
            raise RuleError(f"{path}: unknown key {key!r}; {remedy}", hint=RULE_HINT)
    for key in required:
        if key not in table:
            raise RuleError(f"{path}: {key!r} is missing", hint=RULE_HINT)
    out = {}
    for key, value in table.items():
        try:
            out[key] = keys[key](value)
        except ValueError as error:
            raise RuleError(f"{path}: {key}: {error}", hint=RULE_HINT) from error
    return out


def text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text that is not empty is expected")
    return value


def texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of texts is expected")
    return tuple(value)


def text_or_texts(value: Any) -> tuple[str, ...]:
    """One text, or a list of them."""
    return (value,) if isinstance(value, str) and value else texts(value)


def true_or_texts(value: Any) -> tuple[str, ...]:
    """A list of texts, which is empty for `true`."""
    return () if value is True else texts(value)


def table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a table is expected")
    return value


def tables(value: Any) -> tuple[dict[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("a list of tables is expected")
    return tuple(value)


def one_of(options: Mapping[str, T]) -> Callable[[Any], T]:
    """A reader of one of some words."""

    def read(value: Any) -> T:
        if not isinstance(value, str) or value not in options:
            raise ValueError(f"{value!r} is none of {', '.join(options)}")
        return options[value]

    return read


def some_of(options: Mapping[str, T]) -> Callable[[Any], frozenset[T]]:
    """A reader of a list of some words."""
    one = one_of(options)
    return lambda value: frozenset(one(item) for item in texts(value))


def words(kind: type[Enum]) -> dict[str, Any]:
    """The members of an enum by the word a person writes for them."""
    return {member.name.lower(): member for member in kind}
