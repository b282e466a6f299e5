"""Forms of use in C++ that the target's headers refuse, though the name in them is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from porter.model import Fact, State, Surface, When
from porter.residue.judged import Judged, lacks

STORAGE = re.compile(rb"(?:\.|->)\s*storage\s*\(\s*\)\s*(?:\.|->)")
OPENING, CLOSING = b"([{", b")]}"


@dataclass(frozen=True, slots=True)
class Form:
    """One pattern to look for, and what it means to find it."""

    pattern: re.Pattern[bytes]
    means: Judged
    streamed: bool = False  # only where the call is followed by `<<`


def forms_of(target: Surface) -> tuple[Form, ...]:
    """The forms that the facts of a surface, and the members it lacks, ask for."""
    found = [form for name, symbol in target.cpp.items() for form in _by_fact(name, symbol.facts)]
    for name, symbol in target.cpp.items():
        owner, _, word = name.rpartition("::")
        if symbol.kind == "member" and symbol.state is State.MISSING and _telling(owner, word):
            found.append(Form(_member(word), Judged(name, lacks(target), State.MISSING)))
    return tuple(found)


def _by_fact(name: str, facts: tuple[Fact, ...]) -> Iterator[Form]:
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


def told(code: bytes, forms: tuple[Form, ...]) -> Iterator[tuple[int, Judged]]:
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
