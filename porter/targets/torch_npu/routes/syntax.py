"""What the conversions ask of C++ tokens: parameters, statements, calls, local variables."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from porter.languages.cpp import Code, Function, Kind, Unit, parse

POINTERS = ("GM_ADDR", "*", "__gm__")


class Refused(Exception):
    """What is not mechanical: why, and at which line of the file."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


@dataclass(frozen=True, slots=True)
class Parameter:
    """Of a function or kernel."""

    name: str
    type: str

    @property
    def pointer(self) -> bool:
        return any(mark in self.type for mark in POINTERS)


@dataclass(frozen=True, slots=True)
class Local:
    """A variable of a function: its type as written, and the tokens of what it is given."""

    name: str
    type: str
    first: int
    last: int
    statement: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Product:
    """`n = 1; for (auto size : x.sizes()) { n *= size; }`: the number of x's elements."""

    tensor: str
    type: str
    declared: tuple[int, int]  # the statement
    loop: tuple[int, int]


@dataclass(slots=True)
class Reader:
    """A file's code, with what is around each token."""

    unit: Unit
    code: Code = field(init=False)
    around: list[int] = field(init=False)  # the innermost bracket that is open at a token, or -1
    opened: dict[int, int] = field(init=False)  # closing -> opening

    def __post_init__(self) -> None:
        self.code = self.unit.code
        self.opened = {close: opening for opening, close in self.code.pairs.items()}
        stack, around = [-1], []
        for at in range(len(self.code.tokens)):
            if at in self.opened and stack[-1] == self.opened[at]:
                stack.pop()
            around.append(stack[-1])
            if at in self.code.pairs:
                stack.append(at)
        self.around = around

    def word(self, at: int) -> str:
        return self.code.tokens[at].text if 0 <= at < len(self.code.tokens) else ""

    def words(self, first: int, last: int) -> list[str]:
        return [token.text for token in self.code.tokens[first : last + 1]]

    def text(self, first: int, last: int) -> str:
        """The tokens as they stand in the file."""
        tokens = self.code.tokens
        return self.unit.data[tokens[first].start : tokens[last].end].decode("utf-8", "replace")

    def line(self, at: int) -> int:
        return self.code.line(at)

    def functions_named(self, name: str) -> list[Function]:
        return [f for f in self.code.functions if f.name == name]

    def opening_of(self, function: Function) -> int:
        """The bracket that opens a function's parameters."""
        for at in range(function.head, function.opening):
            if self.word(at) == function.name and self.word(at + 1) == "(":
                return at + 1
        return function.opening

    def parameters(self, function: Function) -> list[Parameter]:
        found = []
        for first, last in self.code.arguments(self.opening_of(function)):
            if self.words(first, last) == ["void"]:
                continue
            end = next((k for k in range(first, last) if self.word(k) == "="), last + 1) - 1
            kind = self.text(first, end - 1) if end > first else ""
            found.append(Parameter(self.word(end), kind))
        return found

    def templates(self, function: Function) -> list[str]:
        """The names of a template's parameters that are types; Refused where some are not."""
        names: list[str] = []
        for at in range(function.head, self.opening_of(function)):
            if self.word(at) == "template":
                end = self.code.skip_angles(at + 1) - 1
                words = self.words(at + 2, end - 1)
                for k in range(0, len(words), 3):
                    if words[k] not in ("typename", "class") or words[k + 2 : k + 3] not in (
                        [],
                        [","],
                    ):
                        raise Refused("a template argument that is not a type", self.line(at))
                    names.append(words[k + 1])
        return names

    def template_arguments(self, at: int) -> tuple[int, list[str]]:
        """Of `name<...>` that ends at this token: the token of the name, and the arguments."""
        if self.word(at) != ">":
            return at, []
        depth, start = 0, at
        while start > 0:
            depth += (self.word(start) == ">") - (self.word(start) == "<")
            if depth == 0:
                break
            start -= 1
        given, first = [], start + 1
        for k in range(start + 1, at + 1):
            if k == at or self.word(k) == ",":
                given.append(self.code.text(first, k - 1))
                first = k + 1
        return start - 1, given

    def statement(self, at: int) -> tuple[int, int]:
        """The simple statement around a token: its first token, and its `;`."""
        while self.around[at] >= 0 and self.word(self.around[at]) != "{":
            at = self.around[at]
        first = at
        while first > 0 and not self._ends(first - 1):
            first = self.opened.get(first - 1, first - 1)
        while self.word(first) in _HEADS and first < at:
            first += 1
            first = self.code.pairs.get(first, first) + 1 if self.word(first) == "(" else first
        last = at
        while last < len(self.code.tokens) - 1 and self.word(last) != ";":
            last = self.code.pairs.get(last, last) + 1
        return first, last

    def _ends(self, at: int) -> bool:
        """Whether a token ends a statement or a label."""
        if self.word(at) != ":":
            return self.word(at) in (";", "{", "}")
        while at > 0 and self.word(at - 1) not in (";", "{", "}", "?"):
            at = self.opened.get(at - 1, at - 1)
        return self.word(at - 1) != "?"

    def local(self, function: Function, name: str) -> Local | None:
        """A variable that is declared in a function with a value, and never given another."""
        found: Local | None = None
        for at in self.code.places(name):
            if not function.opening < at < function.closing or self.word(at - 1) in (".", "->"):
                continue
            if self.word(at - 1) in ("++", "--") or self.word(at + 1) in _CHANGES:
                return None
            if self.word(at + 1) != "=":
                continue
            mine = [one for one in self.declaration(self.statement(at)) if one.name == name]
            if len(mine) != 1 or found is not None:
                return None
            found = mine[0]
        return found

    def product(self, function: Function, name: str) -> Product | None:
        """A variable that is 1 and then multiplied by each size of a tensor, and never else."""
        uses = [
            at
            for at in self.uses(name, function.opening, function.closing)
            if self.word(at + 1) in ("=", *_CHANGES) or self.word(at - 1) in ("++", "--")
        ]
        if [self.word(at + 1) for at in uses] != ["=", "*="]:
            return None
        made = self.declaration(self.statement(uses[0]))
        at, last = uses[1], uses[1] + 3
        opening = at - 1 - (self.word(at - 1) == "{")
        first = self.opened.get(opening, 0)
        words = self.words(first, opening)
        ends = self.word(last) == ";" and (self.word(at - 1) != "{" or self.word(last + 1) == "}")
        if (
            len(made) != 1
            or self.words(made[0].first, made[0].last) != ["1"]
            or not ends
            or self.word(first - 1) != "for"
            or len(words) < 9
            or words[-7] != ":"
            or words[-5:] != [".", "sizes", "(", ")", ")"]
            or words[-8] != self.word(at + 2)
            or self.around[uses[0]] != self.around[first - 1]
        ):
            return None
        loop = (first - 1, last + (self.word(at - 1) == "{"))
        return Product(words[-6], made[0].type, made[0].statement, loop)

    def declaration(self, statement: tuple[int, int]) -> list[Local]:
        """The variables that a statement declares with values; none where it is no declaration
        of such alone."""
        first, last = statement
        at = first
        while at < last and (self.code.tokens[at].kind is Kind.NAME or self.word(at) == "::"):
            if at > first and self.word(at + 1) in ("=", ",", ";"):
                break
            at = self.code.skip_angles(at + 1) if self.word(at + 1) == "<" else at + 1
        if at in (first, last) or self.word(first) in ("return", "else", "case", "goto"):
            return []
        kind = " ".join(w for w in self.text(first, at - 1).split() if w != "static")
        found = []
        while at < last:
            while self.word(at) in ("*", "&", "const"):
                at += 1
            if self.code.tokens[at].kind is not Kind.NAME or self.word(at + 1) != "=":
                return []
            end = at + 2
            while end < last and self.word(end) != ",":
                end = self.code.pairs.get(end, end) + 1
            found.append(Local(self.word(at), kind, at + 2, end - 1, statement))
            at = end + 1
        return found

    def uses(self, name: str, first: int, last: int) -> Iterator[int]:
        """Where a name stands for a variable."""
        for at in self.code.places(name):
            if first <= at <= last and self.word(at - 1) not in (".", "->", "::"):
                yield at


_HEADS = ("if", "else", "for", "while", "do")
_CHANGES = ("++", "--", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "<<=", ">>=", "^=")


@dataclass(slots=True)
class Files:
    """The files of a tree, read once."""

    tree: Mapping[str, bytes]
    _read: dict[str, Reader] = field(default_factory=dict)

    def reader(self, path: str) -> Reader:
        if path not in self._read:
            self._read[path] = Reader(parse(self.tree[path], path))
        return self._read[path]

    def resolve(self, path: str, header: str) -> str | None:
        """The file of the tree that a header's name means in another file."""
        near = posixpath.normpath(posixpath.join(posixpath.dirname(path), header))
        if near in self.tree:
            return near
        found = [other for other in self.tree if other.endswith(f"/{header}") or other == header]
        return found[0] if len(found) == 1 else None

    def include_closure(self, path: str) -> list[str]:
        """A file and the tree's headers that it brings, each once."""
        found, work = [], [path]
        while work:
            one = work.pop()
            if one in found:
                continue
            found.append(one)
            headers = (self.resolve(one, header) for header, _ in self.reader(one).unit.includes)
            work += [header for header in headers if header is not None]
        return found
