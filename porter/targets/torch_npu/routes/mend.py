"""Edits of C++ that leave a file as a person would have written it without what went."""

from __future__ import annotations

import re
from itertools import pairwise

from porter.languages.cpp import parse
from porter.languages.edits import splice
from porter.model import Edit, Span
from porter.targets.torch_npu.routes.syntax import Reader

_HEADER = "npu_cpp_extension.h"


def drop_unused(data: bytes, path: str, reached: dict[str, set[str]]) -> bytes:
    """Without the variables that led to a launch alone."""
    while True:
        reader = Reader(parse(data, path))
        edits = set()
        for function in reader.code.functions:
            for name in reached.get(function.name, ()):
                uses = [*reader.uses(name, function.opening, function.closing)]
                product = reader.product(function, name)
                if product is not None and len(uses) == 2:
                    for place in (product.declared, product.loop):
                        first, last = (reader.code.tokens[k] for k in place)
                        edits.add(Edit(extend_to_lines(reader, first.start, last.end), b""))
                local = reader.local(function, name)
                if local is None:
                    continue
                names = [one.name for one in reader.declaration(local.statement)]
                if all(
                    len([*reader.uses(n, function.opening, function.closing)]) == 1 for n in names
                ):
                    first, last = (reader.code.tokens[k] for k in local.statement)
                    edits.add(Edit(extend_to_lines(reader, first.start, last.end), b""))
        if not edits:
            return data
        data = splice(data, edits)


def drop_templates(data: bytes, path: str, names: set[str]) -> bytes:
    """Functions that were templates for their launches' types alone are plain functions."""
    reader = Reader(parse(data, path))
    edits = []
    for function in reader.code.functions:
        if function.name not in names or reader.word(function.head) != "template":
            continue
        opening = reader.opening_of(function)
        templates = reader.templates(function)
        if any([*reader.uses(name, opening, function.closing)] for name in templates):
            continue
        start = reader.code.tokens[function.head].start
        last = next(k for k in range(function.head, opening) if reader.word(k) == ">")
        edits.append(Edit(Span(start, reader.code.tokens[last + 1].start), b""))
        for at in reader.code.places(function.name):
            if reader.word(at + 1) == "<":
                end = next(k for k in range(at, len(reader.code.tokens)) if reader.word(k) == ">")
                tokens = reader.code.tokens
                edits.append(Edit(Span(tokens[at].end, tokens[end].end), b""))
    return splice(data, edits)


def merge_cases(data: bytes, path: str) -> bytes:
    """Cases one after the other that do the same are one case."""
    reader = Reader(parse(data, path))
    edits = []
    for at in reader.code.places("switch"):
        brace = reader.code.pairs.get(at + 1, -2) + 1
        if reader.word(brace) != "{":
            continue
        cases = [
            k for k in range(brace, reader.code.pairs[brace])
            if reader.word(k) in ("case", "default") and reader.around[k] == brace
        ]  # fmt: skip
        bodies = []
        for k, end in zip(cases, [*cases[1:], reader.code.pairs[brace]], strict=True):
            colon = next(j for j in range(k, end) if reader.word(j) == ":")
            bodies.append((colon, end - 1, reader.words(colon + 1, end - 1)))
        for (colon, last, words), (_, _, following) in pairwise(bodies):
            if words and words == following:
                tokens = reader.code.tokens
                edits.append(Edit(Span(tokens[colon].end, tokens[last].end), b""))
    return splice(data, edits)


def add_header(data: bytes, path: str) -> bytes:
    unit = parse(data, path)
    if any(header == _HEADER for header, _ in unit.includes):
        return data
    last = max((token.end for _, token in unit.includes), default=0)
    at = data.find(b"\n", last) + 1
    text = f'#include "{_HEADER}"\n'
    if not any(header[:1] and data[t.start : t.start + 1] == b'"' for header, t in unit.includes):
        text = "\n" + text
    return splice(data, [Edit(Span(at, at), unit.encode(text))])


def include_line(reader: Reader, at: int) -> tuple[int, int]:
    data = reader.unit.data
    """The line of an include."""
    start = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at)
    return start, len(data) if end < 0 else end + 1


def extend_to_lines(reader: Reader, start: int, end: int) -> Span:
    """The place, with the comment above it and its line's end where nothing else is there."""
    data = reader.unit.data
    first = data.rfind(b"\n", 0, start) + 1
    last = data.find(b"\n", end)
    last = len(data) if last < 0 else last + 1
    rest = data[end:last].strip()
    if data[first:start].strip() or (rest and not rest.startswith(b"//")):
        return Span(start, end)
    while first > 0:
        above = data.rfind(b"\n", 0, first - 1) + 1
        if not data[above:first].strip().startswith(b"//") or above == 0:
            break
        first = above
    return Span(first, last)


def tidy(data: bytes) -> bytes:
    """Without namespaces that have nothing left in them, and without rows of empty lines."""
    while True:
        reader = Reader(parse(data, "x.h"))
        edits = []
        for at in reader.code.places("namespace"):
            brace = next(
                (k for k in range(at, min(at + 8, len(reader.code.tokens)))
                 if reader.word(k) in ("{", ";", "=")), None,
            )  # fmt: skip
            if brace is not None and reader.word(brace) == "{":
                close = reader.code.pairs.get(brace)
                if close == brace + 1:
                    tokens = reader.code.tokens
                    edits.append(
                        Edit(extend_to_lines(reader, tokens[at].start, tokens[close].end), b"")
                    )
        if not edits:
            break
        data = splice(data, edits[:1])
    return re.sub(rb"\n{3,}", b"\n\n", data).rstrip(b"\n") + b"\n"
