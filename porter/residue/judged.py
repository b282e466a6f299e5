"""What is said of a place, and the leftover that it makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from porter.model import Residue, SourceFile, State, Surface


@dataclass(frozen=True, slots=True)
class Judged:
    """What is said of a place; `at` is another node that it stands at."""

    name: str
    reason: str
    state: State
    at: ast.AST | None = None

    def residue(self, file: SourceFile, line: int, column: int) -> Residue:
        return Residue(
            path=file.path,
            line=line,
            column=column,
            name=self.name,
            reason=self.reason,
            state=self.state,
        )

    def residue_at(self, file: SourceFile, data: bytes, offset: int) -> Residue:
        start = data.rfind(b"\n", 0, offset) + 1
        return self.residue(file, data.count(b"\n", 0, offset) + 1, offset - start + 1)


def judge_quirks(
    target: Surface, name: str, form: str, at: ast.AST | None = None
) -> Iterator[Judged]:
    """What the target's quirks say of a name in a form of use, nothing where none holds."""
    symbol = target.python.get(name)
    for fact in symbol.facts if symbol is not None else ():
        if fact.form == form:
            yield Judged(name, fact.sentence, State.DIFFERENT, at)
            return


def lacks(target: Surface) -> str:
    return f"{target.package} {target.version} lacks it"
