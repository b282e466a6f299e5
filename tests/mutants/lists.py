"""The lists of faults: one TOML file a fixture, one table a fault; how a fault is planted."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from porter.parity.choice import holds

HERE = Path(__file__).resolve().parent
FIXTURES = HERE.parent.parent / "fixtures"


class ListError(Exception):
    """An entry of a list that plants no single fault; never counted as found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One fault: `was`, which stands once in `file`, becomes `becomes`."""

    fixture: str
    file: str
    kind: str  # off-by-one tail, wrong index, ...
    wrong: str  # what goes wrong, in one line; unique in its list
    was: str
    becomes: str
    device: str = "cpu"  # where its cases run: cpu, or emulated (CUDA), npu (emulated)

    def __str__(self) -> str:
        return f"{self.fixture}: {self.wrong} ({self.kind}, {self.file})"


def names() -> list[str]:
    """The fixtures that have a list."""
    return sorted(path.stem for path in HERE.glob("*.toml"))


def load(fixture: str) -> tuple[Mutant, ...]:
    """The faults of a fixture, in their order. Raises ListError for keys that are not these."""
    text = (HERE / f"{fixture}.toml").read_text(encoding="utf-8")
    known = {field.name for field in fields(Mutant)} - {"fixture"}
    wanted = known - {"device"}
    found = []
    for entry in tomllib.loads(text)["mutant"]:
        if not wanted <= entry.keys() <= known:
            raise ListError(f"{fixture}: {sorted(entry.keys() ^ wanted)} in {entry}")
        found.append(Mutant(fixture=fixture, **entry))
    return tuple(found)


def planted(mutant: Mutant, tree: Path) -> str:
    """The text of the file with the fault.

    Raises ListError where the text is not there exactly once, where nothing changes, and for
    Python that is none.
    """
    text = (tree / mutant.file).read_text(encoding="utf-8")
    count = text.count(mutant.was)
    if count != 1:
        raise ListError(f"{mutant}: its text is there {count} times")
    if mutant.was.split() == mutant.becomes.split():
        raise ListError(f"{mutant}: nothing changes")
    changed = text.replace(mutant.was, mutant.becomes)
    if mutant.file.endswith(".py"):
        try:
            ast.parse(changed)
        except SyntaxError as error:
            raise ListError(f"{mutant}: {error}") from error
    return changed


def chosen(fixtures: Sequence[str], expression: str) -> dict[str, tuple[Mutant, ...]]:
    """The faults of these fixtures, or of all, that say the words of an expression, as `-k` of
    `porter parity run` takes it. Raises UsageError."""
    return {
        name: tuple(mutant for mutant in load(name) if holds(str(mutant), expression))
        for name in fixtures or names()
    }
