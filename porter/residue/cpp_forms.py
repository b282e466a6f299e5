"""Forms of use in C++ that the target's headers refuse, though the name in them is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from porter.model import Fact, State, Surface, When

STORAGE = re.compile(rb"(?:\.|->)\s*storage\s*\(\s*\)\s*(?:\.|->)")
OPENING, CLOSING = b"([{", b")]}"


@dataclass(frozen=True, slots=True)
class Form:
    """One pattern to look for, and what it means to find it."""

    pattern: re.Pattern[bytes]
    name: str
    reason: str
    state: State
    streamed: bool = False  # only where the call is followed by `<<`


def forms_of(target: Surface) -> tuple[Form, ...]:
    """The forms that the facts of a surface, and the members it lacks, ask for."""
    found = [form for name, symbol in target.cpp.items() for form in _by_fact(name, symbol.facts)]
    lacks = f"{target.package} {target.version} lacks it"
    for name, symbol in target.cpp.items():
        owner, _, word = name.rpartition("::")
        if symbol.kind == "member" and symbol.state is State.MISSING and _telling(owner, word):
            found.append(Form(_member(word), name, lacks, State.MISSING))
    return tuple(found)


def _by_fact(name: str, facts: tuple[Fact, ...]) -> Iterator[Form]:
    for fact in facts:
        last = re.escape(name.rpartition("::")[2].encode())
        if fact.when is When.STREAMED:
            pattern = re.compile(rb"(?<![\w:.])%s\s*\(" % last)
            yield Form(pattern, name, fact.sentence, State.DIFFERENT, streamed=True)
        elif fact.when is When.ARGUMENT:
            words = "|".join(fact.condition.words).encode()
            pattern = re.compile(rb"(?<![\w:])%s\s*\(\s*(?:%s)\b" % (last, words))
            yield Form(pattern, name, fact.sentence, State.DIFFERENT)


def _telling(owner: str, word: str) -> bool:
    """Members whose names no class of another library has; others are the compiler's to find."""
    if owner == "torch::Library":
        return "_" in word
    return owner in ("at::Tensor", "at::TensorBase") and "storage" in word.lower()


@cache
def _member(word: str) -> re.Pattern[bytes]:
    if word == "storage":  # other classes have one too: only what goes on as torch's does
        return STORAGE
    return re.compile(rb"(?:\.|->)\s*%s\s*\(" % re.escape(word.encode()))


def told(code: bytes, forms: tuple[Form, ...]) -> Iterator[tuple[int, Form]]:
    """The offset of each form found in code without comments and texts, once a place."""
    seen: set[int] = set()
    for form in forms:
        for match in form.pattern.finditer(code):
            if form.streamed and not _streams(code, match.end() - 1):
                continue
            start = match.end() - len(match.group().lstrip(b".-> \t\r\n"))
            if start not in seen:
                seen.add(start)
                yield start, form


def _streams(code: bytes, opening: int) -> bool:
    """Whether the bracket that opens here is followed by `<<` where it ends."""
    depth = 0
    for offset in range(opening, len(code)):
        byte = code[offset]
        depth += (byte in OPENING) - (byte in CLOSING)
        if depth == 0:
            return code[offset + 1 :].lstrip()[:2] == b"<<"
    return False
