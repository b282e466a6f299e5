"""C++ whose names are there: forms that the target's headers refuse, headers not included."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from porter.model import Fact, Residue, SourceFile, State, Surface, When
from porter.residue.judged import Judged, lacks
from porter.surface.facts import select_kinds

STORAGE = re.compile(rb"(?:\.|->)\s*storage\s*\(\s*\)\s*(?:\.|->)")
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
OF_TORCH = ("torch/", "ATen/", "c10/")
OPENING, CLOSING = b"([{", b")]}"


@dataclass(frozen=True, slots=True)
class Form:
    """One pattern to look for, and what it means to find it."""

    pattern: re.Pattern[bytes]
    means: Judged
    streamed: bool = False  # only where the call is followed by `<<`


def forms_of(target: Surface) -> tuple[Form, ...]:
    """The forms that the facts of a surface, and the members it lacks, ask for."""
    found = [
        form for name, symbol in target.cpp.items() for form in _forms_of_fact(name, symbol.facts)
    ]
    for name, symbol in target.cpp.items():
        owner, _, word = name.rpartition("::")
        if (
            symbol.kind == "member"
            and symbol.state is State.MISSING
            and _is_distinctive(owner, word)
        ):
            found.append(Form(_member(word), Judged(name, lacks(target), State.MISSING)))
    return tuple(found)


def _forms_of_fact(name: str, facts: tuple[Fact, ...]) -> Iterator[Form]:
    for fact in facts:
        last = re.escape(name.rpartition("::")[2].encode())
        means = Judged(name, fact.sentence, State.DIFFERENT)
        if fact.when is When.STREAMED:
            pattern = re.compile(rb"(?<![\w:.])%s\s*\(" % last)
            yield Form(pattern, means, streamed=True)
        elif fact.when is When.ARGUMENT:
            words = "|".join(fact.condition.words).encode()
            pattern = re.compile(rb"(?<![\w:])%s\s*\(\s*(?:%s)\b" % (last, words))
            yield Form(pattern, means)


def _is_distinctive(owner: str, word: str) -> bool:
    """Members whose names no class of another library has; others are the compiler's to find."""
    if owner == "torch::Library":
        return "_" in word
    return owner in ("at::Tensor", "at::TensorBase") and "storage" in word.lower()


@cache
def _member(word: str) -> re.Pattern[bytes]:
    if word == "storage":  # other classes have one too: only what goes on as torch's does
        return STORAGE
    return re.compile(rb"(?:\.|->)\s*%s\s*\(" % re.escape(word.encode()))


def find_forms(code: bytes, forms: tuple[Form, ...]) -> Iterator[tuple[int, Judged]]:
    """The offset of each form found in code without comments and texts, once a place."""
    seen: set[int] = set()
    for form in forms:
        for match in form.pattern.finditer(code):
            if form.streamed and not _streams(code, match.end() - 1):
                continue
            start = match.end() - len(match.group().lstrip(b".-> \t\r\n"))
            if start not in seen:
                seen.add(start)
                yield start, form.means


def _streams(code: bytes, opening: int) -> bool:
    """Whether the bracket that opens here is followed by `<<` where it ends."""
    depth = 0
    for offset in range(opening, len(code)):
        byte = code[offset]
        depth += (byte in OPENING) - (byte in CLOSING)
        if depth == 0:
            return code[offset + 1 :].lstrip()[:2] == b"<<"
    return False


@dataclass(frozen=True, slots=True)
class Name:
    """A name that a fact says needs its header, and the headers that bring it."""

    pattern: re.Pattern[bytes]
    providers: frozenset[str]
    means: Judged


@dataclass(slots=True)
class Headers:
    """What the files of a tree include; and the places that need a header."""

    names: tuple[Name, ...]
    includes: dict[str, tuple[tuple[bool, str], ...]] = field(default_factory=dict)  # quoted, name
    open: list[tuple[Name, Residue]] = field(default_factory=list)

    def note(self, file: SourceFile, data: bytes) -> None:
        """What a file includes, comments and all: who comments an include out means well."""
        found = [(q == b'"', n.decode("utf-8", "replace")) for q, n in INCLUDE.findall(data)]
        self.includes[file.path] = tuple(found)

    def ask(self, file: SourceFile, code: bytes) -> None:
        """The first use of the names of each header in a file that includes torch's headers."""
        own = {name for _, name in self.includes[file.path]}
        if not any(name.startswith(OF_TORCH) for name in own):
            return
        needed = [name for name in self.names if not own & name.providers]
        first: dict[frozenset[str], tuple[int, Name]] = {}
        for name in needed:
            match = name.pattern.search(code)
            if match is not None:
                at = (match.start(), name)
                first[name.providers] = min(first.get(name.providers, at), at, key=lambda f: f[0])
        self.open += [(n, n.means.residue_at(file, code, at)) for at, n in first.values()]

    def open_uses(self) -> Iterator[Residue]:
        """The uses in files that reach the header by no include; unknown headers may bring it."""
        by_name: dict[str, list[str]] = {}
        for path in self.includes:
            by_name.setdefault(path.rpartition("/")[2], []).append(path)
        for name, found in self.open:
            reached = _find_reached_headers(found.path, self.includes, by_name)
            if reached is not None and not reached & name.providers:
                yield found


def names_of(target: Surface) -> tuple[Name, ...]:
    """The names of a surface whose facts say which header they need."""
    out = []
    for name, symbol in target.cpp.items():
        for fact in select_kinds(symbol.facts, When.HEADER):
            words = (re.escape(part.encode()) for part in name.split("::"))
            pattern = re.compile(rb"(?<![\w:])" + rb"\s*::\s*".join(words) + rb"\b")
            judged = Judged(name, fact.sentence, State.UNKNOWN)
            out.append(Name(pattern, frozenset(fact.condition.words), judged))
    return tuple(out)


def _find_reached_headers(
    path: str,
    includes: Mapping[str, tuple[tuple[bool, str], ...]],
    by_name: Mapping[str, list[str]],
) -> set[str] | None:
    """The names of all headers reached from a file; None where an own header is not in the tree."""
    seen, pending = {path}, [path]
    names: set[str] = set()
    while pending:
        for quoted, name in includes[pending.pop()]:
            names.add(name)
            tail = name.lstrip("./")
            paths = [p for p in by_name.get(tail.rpartition("/")[2], ()) if p.endswith(tail)]
            if quoted and not paths and not name.startswith(OF_TORCH):
                return None
            pending += [p for p in paths if p not in seen]
            seen |= set(paths)
    return names
