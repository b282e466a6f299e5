"""What tests need beside their code: pytest's configuration, and the files that they read."""

from __future__ import annotations

import configparser
import posixpath
import tomllib
from collections.abc import Collection, Iterator, Mapping

from porter.languages.cpp import HEADERS
from porter.languages.data import read_toml

# In the order in which pytest looks; the section of those that are not in TOML.
_FILES = {
    "pytest.toml": "",
    ".pytest.toml": "",
    "pytest.ini": "pytest",
    ".pytest.ini": "pytest",
    "pyproject.toml": "",
    "tox.ini": "pytest",
    "setup.cfg": "tool:pytest",
}
_CODE = (*HEADERS, ".py", ".pyc", ".c", ".cc", ".cpp", ".cxx", ".cu", ".asc")


def configuration(tree: Mapping[str, bytes]) -> str:
    """The tree's configuration of pytest, as a pytest.ini; nothing where it has none."""
    settings = _read(tree)
    lines = ["[pytest]"]
    for name, value in settings.items():
        values = [line for line in _lines(value) if not _imports_torch(name, line)]
        if len(values) == 1:
            lines.append(f"{name} = {values[0]}")
        elif values:
            lines += [f"{name} =", *(f"    {line}" for line in values)]
    return "\n".join([*lines, ""]) if settings else ""


def _read(tree: Mapping[str, bytes]) -> Mapping[str, object]:
    """The settings of the first file that has them, in the order in which pytest looks."""
    for name, section in _FILES.items():
        text = tree.get(name, b"").decode("utf-8", "replace")
        found = _of_ini(text, section) if section else _of_toml(text)
        if found:
            return found
    return {}


def _of_toml(text: str) -> Mapping[str, object]:
    try:
        read = read_toml(text)
    except tomllib.TOMLDecodeError:
        return {}
    own = _table(_table(read, "tool") or read, "pytest")
    return _table(own, "ini_options") or own


def _table(value: Mapping[str, object], name: str) -> Mapping[str, object]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}


def _of_ini(text: str, section: str) -> Mapping[str, object]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return {}
    return dict(parser[section]) if section in parser else {}


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, list):
        yield from map(str, value)
    else:
        yield from (line.strip() for line in str(value).splitlines() if line.strip())


def _imports_torch(name: str, line: str) -> bool:
    """`ignore::torch.jit.TracerWarning`, a class that pytest imports."""
    return name == "filterwarnings" and "torch" in line


def find_read(tree: Mapping[str, bytes], tests: Collection[str]) -> dict[str, bytes]:
    """The files beside these tests, and in folders there, that one of them names: by its name, that
    of a folder, or its suffix."""
    folders = {posixpath.dirname(path) for path in tests} - {""}
    texts = [tree[path].decode("utf-8", "replace") for path in tests]
    found = {}
    for path, data in tree.items():
        home = next((each for each in sorted(folders) if path.startswith(f"{each}/")), None)
        if home is None or path.endswith(_CODE):
            continue
        *inner, base = path.removeprefix(f"{home}/").split("/")
        stem, suffix = posixpath.splitext(base)
        names = [*inner, stem, *([suffix] if suffix else [])]
        if any(name in text for text in texts for name in names):
            found[path] = data
    return found
