"""The lines of a file that a codemod needs, so that of a large file no more is parsed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from porter.languages.python import BOM, Module
from porter.model import Span

_ABOVE = b"pass\n"  # a statement, as what stands above the first one belongs to the file
_BLANK = re.compile(rb"[ \t]*")
_ODD_COMMENT = re.compile(rb"(?m)^[ \t]+#")  # belongs to the block above it, however it is indented


@dataclass(frozen=True, slots=True)
class Portion:
    """Some statements of a file as a file, and where its bytes are in the whole one."""

    module: Module
    shift: int  # from an offset of the whole file to one of the portion
    first: int  # offset in the portion, before which nothing may be changed
    indent: str  # what the whole file indents with first; empty: this is the whole one


def whole(module: Module) -> Portion:
    return Portion(module, 0, 0, "")


def portion(module: Module, statements: range) -> Portion | None:
    """Some statements that follow each other, by index; None where LibCST might read them in
    another way than in the whole file."""
    data, body = module.data, module.tree.body
    plain = module.encoding in ("utf-8", "ascii") and not data.startswith(BOM)
    if not plain or b"\r" in data or b"\x0c" in data or not statements:
        return None
    first, last = statements[0], statements[-1]
    while first and _end(body[first - 1]) >= _begin(body[first]):
        first -= 1
    while last + 1 < len(body) and _begin(body[last + 1]) <= _end(body[last]):
        last += 1
    lines = [*module.starts, len(data)]
    start, end = (lines[_end(body[first - 1])] if first else 0), lines[_end(body[last])]
    above = _ABOVE if first else b""
    odd = _ODD_COMMENT.search(data, start, lines[_begin(body[first]) - 1])
    if odd or data[:end].endswith(b"\\\n"):
        return None
    part = replace(module, data=above + data[start:end])
    return Portion(part, len(above) - start, len(above), _indent(module))


def statements_around(module: Module, spans: Iterable[Span]) -> range:
    """The statements from the first to the last that holds one of the spans, by index."""
    held = [*spans]
    found = [
        index
        for index, statement in enumerate(module.tree.body)
        for inside in (_lines(module, statement),)
        if any(inside.start <= span.start < inside.end for span in held)
    ]
    return range(found[0], found[-1] + 1) if found else range(0)


def _lines(module: Module, statement: ast.stmt) -> Span:
    lines = [*module.starts[_begin(statement) - 1 :][:1], *module.starts[_end(statement) :][:1]]
    return Span(lines[0], lines[1] if len(lines) > 1 else len(module.data))


def _begin(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min(statement.lineno, *(each.lineno for each in decorators), statement.lineno)


def _end(statement: ast.stmt) -> int:
    assert statement.end_lineno is not None
    return statement.end_lineno


def _indent(module: Module) -> str:
    """What stands before the first statement of the first block that has lines of its own."""
    best: tuple[int, bytes] | None = None
    for statement in module.tree.body:
        for node in ast.walk(statement):
            blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
            for inner in (block for block in blocks if isinstance(block, list) and block):
                line = _begin(inner[0])
                if best is not None and line >= best[0]:
                    continue
                start = module.starts[line - 1]
                before = _BLANK.match(module.data, start).group()  # type: ignore[union-attr]
                if before and line > getattr(node, "lineno", 0):
                    best = line, before
        if best is not None:
            break
    return best[1].decode() if best else " " * 4
