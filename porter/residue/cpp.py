"""Torch-specific leftovers in one C, C++ or CUDA file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.model import Residue, SourceFile, State, Surface
from porter.residue.cpp_forms import Form, Headers, find_forms, forms_of, names_of
from porter.residue.judged import Judged, lacks
from porter.surface.names import Known, cpp_state, declares
from porter.targets import TARGETS

NEEDLE = re.compile(rb"torch|TORCH|ATen|\bat\s*::|c10|C10_|AT_")
TEXT = re.compile(
    rb"""//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)
    |(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
    |"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL | re.VERBOSE,
)
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]((?:torch|ATen|c10|caffe2)/[^>"\n]+)[>"]')
NAME = re.compile(rb"(?<![\w.])(?<!->)(?<!\w::)(at|c10|torch)\s*((?:::\s*\w+\s*)+)")
MACRO = re.compile(rb"(?<![\w])(?:AT|TORCH|C10|CUDA_KERNEL)_[A-Z0-9_]+\b")
KEY = re.compile(rb"\bTORCH_LIBRARY_IMPL\s*\(\s*\w+\s*,\s*(\w+)\s*,")
DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)(.*)")
ELSEWHERE = re.compile(rb"USE_ROCM|__HIP|HIP_PLATFORM|_WIN32|_MSC_VER|__APPLE__")  # not this device
ALL = frozenset({"*"})
NAMESPACE = re.compile(rb"\bnamespace\s+(\w+(?:\s*::\s*\w+)*)\s*\{|[{}]")


@dataclass(frozen=True, slots=True)
class Judge:
    """What a use is judged by; `headers` and `namespaces` are what only the whole tree can tell."""

    target: Surface
    torch: Surface
    answered: frozenset[str]
    forms: tuple[Form, ...]
    headers: Headers
    namespaces: set[str]  # that the tree opens, with their outer ones

    def is_own(self, left: Residue) -> bool:
        """Whether a name that torch does not declare is of a namespace that the tree opens in
        one of torch's: `torch::csprng::block_cipher`."""
        words = left.name.split("::")
        outer = ("::".join(words[:count]) for count in range(2, len(words)))
        return any(n in self.namespaces and not declares(n, self.torch.cpp) for n in outer)


def judge(target: Surface, torch: Surface, answered: frozenset[str]) -> Judge:
    """A judge for the files of one tree."""
    return Judge(target, torch, answered, forms_of(target), Headers(names_of(target)), set())


def residue_of(file: SourceFile, data: bytes, judge: Judge) -> Iterator[Residue]:
    """The headers, names, macros and registration keys of torch that the target lacks.

    Members of tensors are the compiler's to find, but for a few that only torch has. Not looked
    at: comments, strings, and sections below an `#if` that asks for the target, for the header,
    or for ROCm or Windows.
    """
    judge.headers.note(file, data)
    if not NEEDLE.search(data):
        return
    target, torch, answered = judge.target, judge.torch, judge.answered
    without_comments = TEXT.sub(_blank_comments, data)
    code = TEXT.sub(_blank, data)
    judge.namespaces.update(_read_namespaces(code))
    skipped = list(_read_sections(without_comments.split(b"\n")))
    own = set(re.findall(rb"#[ \t]*define[ \t]+(\w+)", code))
    for number, (line, raw) in enumerate(
        zip(code.split(b"\n"), without_comments.split(b"\n"), strict=True), 1
    ):
        for column, name in _names(line, raw, own):
            known = cpp_state(name, target, torch)
            if known is None or known.name in answered or name in answered:
                continue
            if known.state is State.PRESENT or name in skipped[number - 1]:
                continue
            if not skipped[number - 1] & ALL:
                yield _judge(known, target).residue(file, number, column + 1)
    live = _live(code, skipped)
    judge.headers.ask(file, live)
    for offset, judged in find_forms(live, judge.forms):
        if judged.name not in answered:
            yield judged.residue_at(file, live, offset)


def _read_namespaces(code: bytes) -> Iterator[str]:
    """The full names of the namespaces that a file opens."""
    scopes: list[str] = []
    for match in NAMESPACE.finditer(code):
        if match.group() == b"}":
            del scopes[-1:]
            continue
        outer = scopes[-1] if scopes else ""
        own = re.sub(rb"\s+", b"", match.group(1) or b"").decode("utf-8", "replace")
        scopes.append("::".join(part for part in (outer, own) if part))
        if own:
            yield scopes[-1]


def _live(code: bytes, skipped: list[frozenset[str]]) -> bytes:
    """Code without directives, and without the sections that are not looked at."""
    lines = code.split(b"\n")
    continued = False
    for number, line in enumerate(lines):
        directive = continued or DIRECTIVE.match(line) is not None
        if directive or skipped[number] & ALL:
            lines[number] = b" " * len(line)
        continued = directive and line.rstrip().endswith(b"\\")
    return b"\n".join(lines)


def _judge(known: Known, target: Surface) -> Judged:
    facts = [f.sentence for f in known.facts]
    if known.state is State.MISSING:
        facts.insert(0, lacks(target))
    reason = "; ".join(facts) or "this build of the target cannot tell"
    return Judged(known.name, reason, known.state)


def _names(line: bytes, raw: bytes, own: set[bytes]) -> Iterator[tuple[int, str]]:
    """(column from 0, name) for each use on a line."""
    include = INCLUDE.match(raw)
    if include:
        yield raw.index(include.group(1)) - 1, f"<{include.group(1).decode('utf-8', 'replace')}>"
        return
    directive = DIRECTIVE.match(line)
    if directive and directive.group(1) in (b"ifdef", b"ifndef", b"undef", b"if", b"elif"):
        return
    for match in NAME.finditer(line):
        rest = re.sub(rb"\s+", b"", match.group(2)).decode("utf-8", "replace")
        if not line[: match.start()].rstrip().endswith(b"namespace"):
            yield match.start(), match.group(1).decode() + rest
    for match in MACRO.finditer(line):
        if match.group() not in own:
            yield match.start(), match.group().decode()
    for match in KEY.finditer(line):
        yield match.start(1), f"c10::DispatchKey::{match.group(1).decode()}"


def _blank(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", match.group())


def _blank_comments(match: re.Match[bytes]) -> bytes:
    return _blank(match) if match.group().startswith((b"//", b"/*")) else match.group()


def _read_sections(lines: list[bytes]) -> Iterator[frozenset[str]]:
    """For each line what its `#if` sections provide for: `*` is everything."""
    stack: list[tuple[frozenset[str], frozenset[str]]] = []  # now, and after #else
    for line in lines:
        match = DIRECTIVE.match(line)
        if match:
            word, rest = match.groups()
            if word in (b"if", b"ifdef", b"ifndef"):
                stack.append(_read_condition(rest, negated=word == b"ifndef"))
            elif word == b"elif" and stack:
                stack[-1] = _read_condition(rest, negated=False)
            elif word == b"else" and stack:
                stack[-1] = (stack[-1][1], stack[-1][1])
            elif word == b"endif" and stack:
                stack.pop()
        yield frozenset[str]().union(*(now for now, _ in stack))


def _read_condition(test: bytes, negated: bool) -> tuple[frozenset[str], frozenset[str]]:
    """What a section provides for, and what its #else does. Who asks for a target has thought of
    it."""
    if any(macro.encode() in test for t in TARGETS.values() for macro in t.macros):
        return ALL, ALL
    if ELSEWHERE.search(test):
        negated = negated or b"!" in test
        return (frozenset(), ALL) if negated else (ALL, frozenset())
    headers = re.findall(rb"__has_include\s*\(\s*[<\"]([^>\"]+)", test)
    names = re.findall(rb"\b(?:AT|TORCH|C10)_\w+", test)
    found = {f"<{h.decode()}>" for h in headers} | {n.decode() for n in names}
    return frozenset(found), frozenset(found)
