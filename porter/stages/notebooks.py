"""Notebooks in a migration: what is left of them, and in which cell."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from porter.languages.notebook import Notebook, parse
from porter.languages.python import Unreadable
from porter.model import Language, Plan, Residue, Safety, SourceFile
from porter.report.rows import count


def read(
    root: Path, files: Iterable[SourceFile], books: dict[str, Notebook]
) -> Iterator[tuple[SourceFile, bytes]]:
    """The bytes of files; of notebooks, which go into `books`, the text of their Python cells."""
    for file in files:
        data = (root / file.path).read_bytes()
        if file.language is Language.NOTEBOOK:
            try:
                book = books[file.path] = parse(data)
            except Unreadable:  # the scan says so
                continue
            data = book.text
        yield file, data


def in_cell(item: Residue, books: Mapping[str, Notebook]) -> Residue:
    """A leftover of a notebook with the cell and the line in it."""
    if item.path not in books:
        return item
    cell, line = books[item.path].place(item.line)
    return dataclasses.replace(item, cell=cell, line=line)


def left(plan: Plan) -> Iterator[str]:
    """That notebooks stay as they are, where rules know edits for them."""
    left = [f for f in plan.open if f.cell and f.edits and f.safety is Safety.SAFE]
    if left:
        files = count(len({f.path for f in left}), "notebook")
        stay = "stays as it is" if len(left) == 1 else "stay as they are"
        them = "it" if len(left) == 1 else "them"
        yield (
            f"{count(len(left), 'place')} in {files} {stay}: "
            f"`porter migrate --notebooks` rewrites {them}"
        )
