"""The configuration of porter for a repository: `porter.toml`, or `[tool.porter]` of its
`pyproject.toml`. `Config` is the one place that says which keys there are: the reader, the JSON
schema and the page of the documentation follow from it."""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args, get_type_hints

from porter.errors import UsageError
from porter.languages.data import read_toml
from porter.languages.toml import key_lines
from porter.model import Device, Level, Style

FILE = "porter.toml"
PYPROJECT = "pyproject.toml"
LARGEST = 1 << 20  # bytes; what is larger was not written by hand
PAGE = "reference/configuration.md"
ANYWAY = "to take a repository's file as yours: --config FILE; to ignore it: --config /dev/null"


def _key(help: str, example: str, *, own: str = "", choices: tuple[str, ...] = ()) -> Any:
    """A key: what it is for, and what a repository's own file may say (default: anything)."""
    return field(
        default=None,
        metadata={"help": help, "example": example, "own": own}
        | ({"choices": choices} if choices else {}),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a configuration file says; None where it says nothing."""

    target: str | None = _key("The target, as of `--target`.", '"{target}"')
    style: str | None = _key(
        "The style of the port, as of `--style`.", '"dual"', choices=tuple(Style)
    )
    device: tuple[str, ...] | None = _key(
        "Devices to port to, as of `--device`.", '["cpu"]', choices=(*Device, "emulated")
    )
    tests: str | None = _key(
        "The command of the tests, as of `--tests`.",
        "\"pytest tests -k 'not slow'\"",
        own="`pytest` with paths in the repository, `-k` and `-m`",
    )
    parity: str | None = _key(
        "Parity cases, as of `--parity`: a path from the file's folder.",
        '"tests/ops.parity.toml"',
        own="a file in the repository",
    )
    exclude: tuple[str, ...] | None = _key(
        "Files and folders that are neither read nor edited, as patterns of paths from the root "
        "of the project: `*` stands for any characters, slashes too. Tests in them are not run; "
        "the build scripts decide what is built.",
        '["third_party", "*_generated.py"]',
    )
    levels: Mapping[str, str] | None = _key(
        "What to do with a rule's findings, by its whole name or the last part of it. `off`: the "
        "rule is not in force; `manual`: listed, never edited; `review`: edited with `--review`; "
        "`safe`: edited, also where the rule asks for a review.",
        '{ event_wait_method = "manual" }',
        choices=tuple(Level),
    )
    baseline: str | None = _key(
        "Accepted findings, as of `--baseline`: a path from the file's folder.",
        '"porter-baseline.json"',
        own="a file in the repository",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A configuration file as it was read."""

    shown: str  # its path, for people
    folder: Path
    config: Config
    own: bool  # it lies in the repository that is ported, whose authors wrote it
    lines: Mapping[tuple[str, ...], int]

    @property
    def title(self) -> str:
        """The file, for people."""
        return f"{self.shown} of the repository" if self.own else self.shown

    def place(self, *key: str) -> str:
        """Where a key stands: `porter.toml:3`."""
        if key not in self.lines:
            return self.title
        where = f"{self.shown}:{self.lines[key]}"
        return f"{where} of the repository" if self.own else where


def read(path: Path) -> Source:
    """Read a file that the user names. Raises UsageError, with its line where there is one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint="check --config") from error
    return _parse(data, path.name, path.parent.absolute(), str(path), own=False)


def find(root: Path) -> Source | None:
    """Read the file that lies in the root of a project, if there is one: porter.toml first. Links
    are not followed: they may lead out of the tree. Raises UsageError."""
    for name in (FILE, PYPROJECT):
        path = root / name
        if path.is_symlink() or not path.is_file():
            continue
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{name} of the repository is larger than 1 MiB", hint=ANYWAY)
        data = path.read_bytes()
        if name == FILE or re.search(rb"\bporter\b", data):
            found = _parse(data, name, root, name, own=True)
            if name == FILE or found.config != Config():
                return found
    return None


def _parse(data: bytes, name: str, folder: Path, shown: str, *, own: bool) -> Source:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        written: Any = read_toml(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        hint = ANYWAY if own else "see " + PAGE
        title = f"{shown} of the repository" if own else shown
        raise UsageError(f"{title}: not TOML: {error}", hint=hint) from error
    prefix = ("tool", "porter") if name == PYPROJECT else ()
    for key in prefix:
        written = written.get(key, {}) if isinstance(written, dict) else {}
    length = len(prefix)
    lines = {
        key[length:]: line
        for key, line in key_lines(text.encode()).items()
        if key[:length] == prefix
    }
    source = Source(shown=shown, folder=folder, config=Config(), own=own, lines=lines)
    if not isinstance(written, dict):
        raise UsageError(f"{source.place()}: tool.porter is not a table", hint="see " + PAGE)
    return dataclasses.replace(source, config=_read_keys(source, written))


def _read_keys(source: Source, written: Mapping[str, Any]) -> Config:
    known = {each.name: each for each in dataclasses.fields(Config)}
    types = get_type_hints(Config)
    values = {}
    for name, value in written.items():
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else "one of: " + ", ".join(known)
            raise UsageError(f"{source.place(name)}: unknown key {name!r}", hint=hint)
        values[name] = _read_value(source, name, value, types[name], known[name].metadata)
    return Config(**values)


def _read_value(
    source: Source, name: str, value: Any, kind: Any, metadata: Mapping[str, Any]
) -> Any:
    """Check a value. Raises UsageError for another type, and for a word that is not a choice."""
    kind = next(each for each in get_args(kind) if each is not type(None))
    place = source.place(name)
    choices = metadata.get("choices")
    if kind is str:
        _check_words(place, name, [value], choices)
        return value
    if kind == tuple[str, ...]:
        if not isinstance(value, list):
            raise UsageError(f"{place}: {name} is not an array of strings", hint="see " + PAGE)
        _check_words(place, name, value, choices)
        return tuple(value)
    if not isinstance(value, dict):
        raise UsageError(f"{place}: {name} is not a table", hint="see " + PAGE)
    for key, word in value.items():
        here = source.place(name, key) if (name, key) in source.lines else place
        _check_words(here, f"{name}.{key}", [word], choices)
    return dict(value)


def _check_words(place: str, name: str, words: list[Any], choices: tuple[str, ...] | None) -> None:
    for word in words:
        if not isinstance(word, str) or not word.strip() or "\0" in word:
            raise UsageError(
                f"{place}: {name} takes strings that are not empty", hint="see " + PAGE
            )
        if choices and word not in choices:
            close = difflib.get_close_matches(word, choices, n=1)
            hint = f"did you mean {close[0]}?" if close else "one of: " + ", ".join(choices)
            raise UsageError(f"{place}: {name} cannot be {word!r}", hint=hint)


# ------------------------------------------------------------------ published


def schema() -> dict[str, Any]:
    """The JSON schema of porter.toml, for editors."""
    properties = {}
    types = get_type_hints(Config)
    for each in dataclasses.fields(Config):
        kind = next(one for one in get_args(types[each.name]) if one is not type(None))
        text: dict[str, Any] = {"type": "string", "minLength": 1}
        if choices := each.metadata.get("choices"):
            text = {"type": "string", "enum": [str(choice) for choice in choices]}
        shape = text
        if kind == tuple[str, ...]:
            shape = {"type": "array", "items": text}
        elif kind is not str:
            shape = {"type": "object", "additionalProperties": text}
        properties[each.name] = shape | {"description": each.metadata["help"].replace("`", "")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "porter.toml, and tool.porter of pyproject.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def rows() -> list[tuple[str, str, str, str]]:
    """Each key with an example, what it is for, and what a repository's own file may say."""
    return [
        (each.name, each.metadata["example"], each.metadata["help"], each.metadata["own"])
        for each in dataclasses.fields(Config)
    ]
