"""Whether an edited file is the old one but for the edits: it parses, the rest means the same."""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from porter.languages import cpp, notebook, python
from porter.languages.edits import splice
from porter.languages.read import read
from porter.model import Edit, Language, Span

Shape: TypeAlias = list[tuple[int, str]]


def find_harm(data: bytes, edits: Iterable[Edit], path: str, language: Language) -> str | None:
    """Why these edits would harm the file beyond their own spans; None where they do not."""
    edits = sorted(set(edits))
    spans, after = [edit.span for edit in edits], splice(data, edits)
    written = list(_result_spans(edits))
    if language is Language.NOTEBOOK:
        try:
            book, new = notebook.parse(data), notebook.parse(after)
        except python.Unreadable as error:
            return f"the result is no notebook: {error}"
        if (book.frame, book.broken, len(book.cells)) != (new.frame, new.broken, len(new.cells)):
            return "more than the code of its cells would change"
        data, after, language = book.text, new.text, Language.PYTHON
        spans = [Span(book.map_offset(s.start), book.map_offset(s.end)) for s in spans]
        written = [Span(new.map_offset(s.start), new.map_offset(s.end)) for s in written]
    try:
        document = read(after, path, language)
    except python.Unreadable as error:
        return f"the result does not parse: {error}"
    if language is Language.CPP:
        return _find_imbalance(cpp.parse(data, path), cpp.parse(after, path))
    if not isinstance(document, python.Module):
        return None
    before = python.parse(data, path)
    if _shape(before, spans) != _shape(document, written):
        return "a statement outside of the edits changes its meaning or its place"
    lost = _comments(before) - _comments(document)
    return f"the comment {next(iter(lost))!r} would be lost" if lost else None


def _result_spans(edits: Sequence[Edit]) -> Iterator[Span]:
    """Where the texts of the edits stand in the result."""
    shift = 0
    for edit in edits:
        start = edit.span.start + shift
        yield Span(start, start + len(edit.text))
        shift += len(edit.text) - (edit.span.end - edit.span.start)


def _shape(module: python.Module, spans: list[Span]) -> Shape:
    """(depth, dump) of the largest statements that none of these spans, in order, touches."""
    out: Shape = []

    def visit(node: ast.AST, depth: int) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                own = _whole(module, child)
                first = bisect_left(spans, own.start, key=lambda span: span.end)
                if any(_touches(span, own) for span in spans[first : first + 1]):
                    visit(child, depth + 1)
                else:
                    out.append((depth, ast.dump(child)))
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                visit(child, depth)

    visit(module.tree, 0)
    return out


def _whole(module: python.Module, statement: ast.stmt) -> Span:
    """The span of a statement with its decorators, which `ast` leaves out."""
    span = module.span(statement)
    decorators = getattr(statement, "decorator_list", [])
    return Span(module.span(decorators[0]).start, span.end) if decorators else span


def _touches(span: Span, statement: Span) -> bool:
    """An edit inside of a statement or right beside it, where it may have become a part of it."""
    return span.start <= statement.end and statement.start <= span.end


def _comments(module: python.Module) -> Counter[str]:
    tokens = tokenize.tokenize(io.BytesIO(module.data).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def _find_imbalance(before: cpp.Unit, after: cpp.Unit) -> str | None:
    for left, right in ("()", "[]", "{}"):
        if _surplus(before, left, right) != _surplus(after, left, right):
            return f"the {left} and {right} of the result do not balance as before"
    return None


def _surplus(unit: cpp.Unit, left: str, right: str) -> int:
    texts = Counter(token.text for token in unit.tokens)
    return texts[left] - texts[right]
