"""Dependency metadata: the requirements that pyproject.toml and requirements.txt state, by span."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from porter.languages.data import read_toml
from porter.languages.text import Text, Unreadable, line_of
from porter.model import Edit, Span

_TOKEN = re.compile(
    rb"""
      (?P<space>[ \t\r]+|\xef\xbb\xbf)
    | (?P<newline>\n)
    | (?P<comment>\#[^\n]*)
    | (?P<string>\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    | (?P<punctuation>[\[\]{}=,])
    | (?P<bare>[^\s\#"'\[\]{}=,]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")
_ARRAYS = (("build-system", "requires"), ("project", "dependencies"))
_TABLES = (("project", "optional-dependencies"), ("dependency-groups",))


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement as written: `name` normalised as the package indexes do.

    `span` is what states it (a string with its quotes, a line of requirements.txt, a
    key with its value) and `item` also takes what must go with it: the comma, or the line.
    """

    name: str
    text: str
    where: str  # build-system.requires, project.dependencies, requirements.txt, ...
    span: Span
    item: Span


@dataclass
class Document(Text):
    """One metadata file."""

    requirements: tuple[Requirement, ...]

    def comments(self) -> Iterator[Span]:
        found = _TOKEN.finditer(self.data)
        return (Span(*match.span()) for match in found if match.lastgroup == "comment")

    def remove(self, requirement: Requirement) -> Edit:
        return Edit(requirement.item, b"")

    def requirements_on(self, *names: str) -> Iterator[Requirement]:
        """The requirements on these distributions."""
        return (r for r in self.requirements if r.name in names)


def parse(data: bytes, path: str) -> Document:
    """Read a .toml file, or a requirements file when the path ends in .txt.

    Raises Unreadable where it is not valid TOML or not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
        if path.endswith(".txt"):
            return Document(data, path, tuple(_requirement_lines(data)))
        read_toml(text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise Unreadable(f"cannot be decoded: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"is not valid TOML: {error}") from error
    return Document(data, path, tuple(_requirements(data)))


def key_lines(data: bytes) -> dict[tuple[str, ...], int]:
    """The line of each table and key of valid TOML, the first where a table has several."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for statement in _statements(data):
        line = line_of(data, statement[0][2].start)
        if statement[0][1] == "[":
            table = tuple(_key(statement))
            found.setdefault(table, line)
            continue
        equals = next(i for i, token in enumerate(statement) if token[1] == "=")
        found.setdefault((*table, *_key(statement[:equals])), line)
    return found


def normalise(name: str) -> str:
    """A distribution name as the indexes compare it: `My_Package` is `my-package`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _requirement_lines(data: bytes) -> Iterator[Requirement]:
    at = 0
    for line in data.splitlines(keepends=True):
        text = line.decode("utf-8-sig").split(" #")[0].strip()
        match = _NAME.match(text)
        if match and not text.startswith(("#", "-")):
            start = at + line.index(text.encode())
            span, item = Span(start, start + len(text.encode())), Span(at, at + len(line))
            yield Requirement(normalise(match[1]), text, "requirements.txt", span, item)
        at += len(line)


_Token = tuple[str, str, Span]


def _requirements(data: bytes) -> Iterator[Requirement]:
    table: tuple[str, ...] = ()
    for statement in _statements(data):
        if statement[0][1] == "[":
            table = tuple(_key(statement))
            continue
        equals = next(i for i, token in enumerate(statement) if token[1] == "=")
        key = (*table, *_key(statement[:equals]))
        value = statement[equals + 1 :]
        if key in _ARRAYS or any(key[:-1] == table_ for table_ in _TABLES):
            yield from _strings(data, ".".join(key), value)
        elif key[:2] == ("tool", "poetry") and key[-2].endswith("dependencies"):
            span = Span(statement[0][2].start, statement[-1][2].end)
            text = data[span.start : span.end].decode()
            where = ".".join(key[:-1])
            yield Requirement(normalise(key[-1]), text, where, span, _whole_line(data, span))


def _strings(data: bytes, where: str, value: list[_Token]) -> Iterator[Requirement]:
    """The strings directly inside the array of a value."""
    depth = 0
    for kind, text, span in value:
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(text if kind == "punctuation" else "", 0)
        match = _NAME.match(_strip_quotes(text)) if kind == "string" and depth == 1 else None
        if match:
            item = _array_item(data, span)
            yield Requirement(normalise(match[1]), _strip_quotes(text), where, span, item)


def _array_item(data: bytes, span: Span) -> Span:
    """A string of an array with its comma, and with its line where it stands alone there."""
    after = re.compile(rb"[ \t]*,").match(data, span.end)
    end = after.end() if after else span.end
    start = data.rfind(b"\n", 0, span.start) + 1
    rest = re.compile(rb"[ \t]*(?:\#[^\n]*)?(?:\r?\n|\Z)").match(data, end)
    if not data[start : span.start].strip() and rest:
        return Span(start, rest.end())
    if after:
        space = re.compile(rb"[ \t]*").match(data, end)
        return Span(span.start, space.end() if space else end)
    before = re.compile(rb",[ \t]*\Z").search(data, 0, span.start)
    return Span(before.start() if before else span.start, end)


def _whole_line(data: bytes, span: Span) -> Span:
    start = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end)
    return Span(start, len(data) if end == -1 else end + 1)


def _strip_quotes(text: str) -> str:
    quotes = 3 if text[:3] in ('"""', "'''") else 1
    return text[quotes:-quotes]


def _key(tokens: list[_Token]) -> Iterator[str]:
    for kind, text, _ in tokens:
        if kind == "string":
            yield _strip_quotes(text)
        elif kind == "bare":
            yield from filter(None, text.split("."))


def _statements(data: bytes) -> Iterator[list[_Token]]:
    """The tokens of each table header and each key with its value."""
    statement: list[_Token] = []
    depth, at = 0, 0
    while at < len(data):
        match = _TOKEN.match(data, at)
        if match is None:  # valid TOML has nothing else outside of strings
            raise Unreadable(f"line {line_of(data, at)}: not understood")
        kind, text = match.lastgroup or "", match.group()
        if kind == "newline" and depth == 0 and statement:
            yield statement
            statement = []
        elif kind in ("string", "punctuation", "bare"):
            depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(text, 0)
            statement.append((kind, text.decode(), Span(at, match.end())))
        at = match.end()
    if statement:
        yield statement
