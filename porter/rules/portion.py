"""The lines of a file that a codemod needs, so that of a large file no more is parsed."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from porter.languages.python import BOM, Module
from porter.model import Span

_ABOVE = b"pass\n"  # a statement, as what stands above the first one belongs to the file
_BLANK = re.compile(rb"[ \t]*")
_ODD_COMMENT = re.compile(rb"(?m)^[ \t]+#")  # belongs to the block above it, however it is indented


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes of a file, and where they are in a portion of it."""

    inside: Span
    start: int  # in the file

    @property
    def shift(self) -> int:
        """From an offset of the file to one of the portion."""
        return self.inside.start - self.start


@dataclass(frozen=True, slots=True)
class Portion:
    """Some lines of a file as a file of their own."""

    module: Module
    pieces: tuple[Piece, ...]  # in order; no other bytes of the portion are the file's
    indent: str  # what the whole file indents with first; empty: this is the whole one

    def enter(self, span: Span) -> Span:
        """Where a span of the file is in the portion."""
        after = bisect_right(self.pieces, span.start, key=lambda piece: piece.start)
        return span.shift(self.pieces[max(0, after - 1)].shift)

    def leave(self, span: Span) -> Span:
        """Where a span of the portion is in the file. Raises ValueError where it is not in it."""
        at = bisect_left(self.pieces, span.end, key=lambda piece: piece.inside.end)
        if at == len(self.pieces) or not _holds(self.pieces[at].inside, span):
            raise ValueError("what is not of the file is changed")
        return span.shift(-self.pieces[at].shift)


def _holds(outer: Span, span: Span) -> bool:
    return outer.start <= span.start and span.end <= outer.end


def whole(module: Module) -> Portion:
    return Portion(module, (Piece(Span(0, len(module.data)), 0),), "")


def portion(module: Module, statements: range) -> Portion | None:
    """Some statements that follow each other, by index; None where LibCST might read them in
    another way than in the whole file."""
    data, body = module.data, module.tree.body
    if not _is_plain(module) or not statements:
        return None
    first, last = statements[0], statements[-1]
    while first and _end(body[first - 1]) >= _begin(body[first]):
        first -= 1
    while last + 1 < len(body) and _begin(body[last + 1]) <= _end(body[last]):
        last += 1
    lines = [*module.starts, len(data)]
    start, end = (lines[_end(body[first - 1])] if first else 0), lines[_end(body[last])]
    odd = _ODD_COMMENT.search(data, start, lines[_begin(body[first]) - 1])
    if odd or data[:end].endswith(b"\\\n"):
        return None
    return _put_together(module, [(_ABOVE if first else b"", Span(start, end))])


def lines_around(module: Module, spans: Iterable[Span]) -> Portion | None:
    """The innermost statements that hold the spans, each in a block of its own: enough for what
    changes expressions by what is in them. None where they do not stand in lines of their own."""
    if not _is_plain(module) or not module.data.endswith(b"\n"):
        return None
    held: list[tuple[Span, bytes]] = []
    for span in sorted(spans):
        if held and _holds(held[-1][0], span):
            continue
        found = _innermost(module, span)
        if found is None or module.data.endswith(b"\\\n", 0, found[0].end):
            return None
        while held and _holds(found[0], held[-1][0]):
            held.pop()
        held.append(found)
    above = b"if 1:\n%bpass\n" % _indent(module).encode()  # the first block tells the indentation
    parts = []
    for lines, below in held:
        block = b"if 1:\n" if module.data[lines.start : lines.start + 1] in (b" ", b"\t") else b""
        parts.append((above + block, lines))
        above = below or (b"" if block else b"pass\n")  # what is added below it is no neighbour's
    parts.append((above, Span(lines.end, lines.end)))
    return _put_together(module, parts)


def _innermost(module: Module, span: Span) -> tuple[Span, bytes] | None:
    """The lines of the innermost statement that holds a span, and that begins its first line; with
    what is to stand below them."""
    found, block = None, module.tree.body
    while inside := _holder(module, block, span):
        if _begin(inside) < inside.lineno or _begins_line(module, inside):
            found = _head(module, inside, span) or (_lines(module, inside), b"")
        parts = (inside, *getattr(inside, "handlers", ()), *getattr(inside, "cases", ()))
        inner = [statement for part in parts for block in _blocks(part) for statement in block]
        block = sorted(inner, key=_begin)
    return found


def _head(module: Module, statement: ast.stmt, span: Span) -> tuple[Span, bytes] | None:
    """The lines above the block of a statement, where they hold a span, and a block for them."""
    first = next(iter(getattr(statement, "body", ())), None)
    if first is None:
        return None
    end = module.starts[_begin(first) - 1]
    indent = module.data[end : end + first.col_offset]
    if span.end > end or indent.strip():
        return None
    return Span(_lines(module, statement).start, end), indent + b"pass\n"


def _holder(module: Module, block: Sequence[ast.stmt], span: Span) -> ast.stmt | None:
    """The statement of a block, in the order of the file, that holds a span."""
    at = bisect_left(block, span.end, key=lambda statement: _lines(module, statement).end)
    return block[at] if at < len(block) and _holds(_lines(module, block[at]), span) else None


def _begins_line(module: Module, statement: ast.stmt) -> bool:
    start = module.starts[statement.lineno - 1]
    before = module.data[start : start + statement.col_offset]
    return not before.strip() and not module.data.startswith(b"elif", start + len(before))


def _put_together(module: Module, parts: Iterable[tuple[bytes, Span]]) -> Portion:
    """Lines of a file, each below what is to stand above them."""
    written: list[bytes] = []
    pieces: list[Piece] = []
    end = 0
    for above, lines in parts:
        written += (above, module.data[lines.start : lines.end])
        start = end + len(above)
        end = start + lines.end - lines.start
        pieces.append(Piece(Span(start, end), lines.start))
    return Portion(replace(module, data=b"".join(written)), tuple(pieces), _indent(module))


def _is_plain(module: Module) -> bool:
    """Whether offsets in a file and in lines of it differ by a number of bytes."""
    data = module.data
    plain = module.encoding in ("utf-8", "ascii") and not data.startswith(BOM)
    return plain and b"\r" not in data and b"\x0c" not in data


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


def first_import(module: Module, package: str) -> Iterator[Span]:
    """The first line of the module's own level that imports a package or something in it."""
    for line in module.tree.body:
        names: list[str] = []
        if isinstance(line, ast.Import):
            names = [alias.name for alias in line.names]
        elif isinstance(line, ast.ImportFrom) and line.module and not line.level:
            names = [line.module]
        if not line.col_offset and any(f"{n}.".startswith(f"{package}.") for n in names):
            yield module.span(line)
            return


def _lines(module: Module, statement: ast.stmt) -> Span:
    starts, end = module.starts, _end(statement)
    return Span(
        starts[_begin(statement) - 1], starts[end] if end < len(starts) else len(module.data)
    )


def _begin(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min(statement.lineno, *(each.lineno for each in decorators), statement.lineno)


def _end(statement: ast.stmt) -> int:
    assert statement.end_lineno is not None
    return statement.end_lineno


def _indent(module: Module) -> str:
    """What stands before the first statement of the first block that has lines of its own."""
    if (_indent,) not in module.remembered:
        module.remembered[_indent,] = _find_indent(module)
    indent: str = module.remembered[_indent,]
    return indent


def _find_indent(module: Module) -> str:
    best: tuple[int, bytes] | None = None
    for statement in module.tree.body:
        for node in ast.walk(statement):
            for inner in _blocks(node):
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


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """The blocks of a statement, of an exception handler or of a case."""
    blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    return [block for block in blocks if isinstance(block, list) and block]
