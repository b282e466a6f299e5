"""CMake by a small lexer: commands, their arguments and spans; generator text is not evaluated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from porter.languages.text import Text, Unreadable, line_of
from porter.model import Edit, Span

_TOKEN = re.compile(
    rb"""
      (?P<space>[ \t\r\n\f\v;]+|\xef\xbb\xbf)
    | (?P<bracket_comment>\#\[(?P<hashes>=*)\[.*?\](?P=hashes)\])
    | (?P<comment>\#[^\n]*)
    | (?P<bracket>\[(?P<equals>=*)\[.*?\](?P=equals)\])
    | (?P<quoted>"(?:\\.|[^"\\])*")
    | (?P<open>\()
    | (?P<close>\))
    | (?P<word>(?:\\.|"(?:\\.|[^"\\\n])*"|[^\s()\#"\\;])+)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: `value` is its text without quotes or brackets, `span` covers them."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Command:
    """`name(arguments)`; the name in lower case, as CMake reads it."""

    name: str
    name_span: Span
    arguments: tuple[Argument, ...]
    span: Span


@dataclass
class Document(Text):
    """One CMake file."""

    commands: tuple[Command, ...]

    def comments(self) -> Iterator[Span]:
        return (span for kind, _, span in _tokens(self.data) if kind == "comment")

    def replace(self, span: Span, text: str) -> Edit:
        return Edit(span, self.encode(text))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(command.name for command in self.commands)

    def calls_to(self, name: str) -> Iterator[Command]:
        """Commands of this name, whatever its case."""
        return (command for command in self.commands if command.name == name.lower())


def parse(data: bytes, path: str) -> Document:
    """Read the commands of a file. Raises Unreadable where parentheses or quotes do not close."""
    if b"\0" in data:
        raise Unreadable("contains NUL bytes")
    return Document(data, path, tuple(_commands(data)))


def _commands(data: bytes) -> Iterator[Command]:
    tokens = [token for token in _tokens(data) if token[0] not in ("comment", "space")]
    index = 0
    while index < len(tokens):
        kind, value, span = tokens[index]
        if kind != "word" or index + 1 == len(tokens) or tokens[index + 1][0] != "open":
            raise Unreadable(f"line {line_of(data, span.start)}: {value!r} is not a command")
        closing = _closing(tokens, index + 1, data)
        arguments = tuple(
            Argument(text, at)
            for kind, text, at in tokens[index + 2 : closing]
            if kind not in ("open", "close")
        )
        yield Command(value.lower(), span, arguments, Span(span.start, tokens[closing][2].end))
        index = closing + 1


def _closing(tokens: list[tuple[str, str, Span]], opening: int, data: bytes) -> int:
    depth = 0
    for index in range(opening, len(tokens)):
        depth += {"open": 1, "close": -1}.get(tokens[index][0], 0)
        if depth == 0:
            return index
    raise Unreadable(f"line {line_of(data, tokens[opening][2].start)}: '(' is never closed")


def _tokens(data: bytes) -> Iterator[tuple[str, str, Span]]:
    at = 0
    while at < len(data):
        match = _TOKEN.match(data, at)
        if match is None:
            here = data[at : at + 1]
            raise Unreadable(f"line {line_of(data, at)}: {here!r} is not CMake here")
        kind = match.lastgroup or ""
        kind = {"hashes": "comment", "bracket_comment": "comment", "equals": "bracket"}.get(
            kind, kind
        )
        text = match.group().decode("utf-8", "replace")
        if kind == "quoted":
            text = text[1:-1]
        elif kind == "bracket":
            text = text.partition("[")[2].partition("[")[2][: -2 - text[1:].index("[")]
        yield kind, text, Span(at, match.end())
        at = match.end()
