"""What the C++ sources of a repository say of a function that Python calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.languages import cpp
from porter.languages.cpp import Kind, Unit
from porter.model import UNIT

SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".cu", ".cuh", ".h", ".hpp")
EXPORTS = ("def", "impl")  # m.def("name", ...) and m.impl("name", ...)
# of a declaration, not of a function that is offered
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "decltype", "static_assert"}


@dataclass(frozen=True, slots=True)
class Place:
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def exported(root: Path, name: str) -> Place | None:
    """Where the sources give Python a function of this name."""
    found = None
    for unit in _units(root):
        for index in unit.places(*EXPORTS):
            said = unit.tokens[index + 2 : index + 3]
            if not said or said[0].kind is not Kind.STRING:
                continue
            exports = re.match(r'"(?:\w+::)?(\w+)', said[0].text)
            if exports and exports[1] == name:
                found = Place(unit.path, unit.position(said[0].start)[0])
                body = _body(unit, index)
                if body:  # an implementation rather than a schema
                    return _defined(root, body) or found
    return found


def _body(unit: Unit, index: int) -> str:
    """The function that an export names, if it is not written in place."""
    tokens = unit.tokens[index + 3 : index + 12]
    names = [t.text for t in tokens if t.kind is Kind.NAME or t.text in ("[", ")")]
    before = names[: next((n for n, text in enumerate(names) if text in ("[", ")")), len(names))]
    return before[-1] if before else ""


def _defined(root: Path, name: str) -> Place | None:
    """Where a function has its body."""
    for unit in _units(root):
        for index in unit.places(name):
            call = unit.arguments(index + 1) if _is_open(unit, index + 1) else None
            after = call and unit.tokens[call[1] + 1 : call[1] + 2]
            if after and after[0].text in ("{", "const", "noexcept"):
                return Place(unit.path, unit.position(unit.tokens[index].start)[0])
    return None


def _is_open(unit: Unit, index: int) -> bool:
    return index < len(unit.tokens) and unit.tokens[index].text == "("


def _units(root: Path) -> Iterator[Unit]:
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and UNIT not in path.parts:
            yield cpp.parse(path.read_bytes(), path.relative_to(root).as_posix())


def polyfilled(root: Path) -> dict[str, Place]:
    """The functions and members that the headers of vendored units declare."""
    found: dict[str, Place] = {}
    for header in sorted(root.glob(f"**/{UNIT}/include/**/*")):
        if not header.is_file():
            continue
        unit = cpp.parse(header.read_bytes(), header.relative_to(root).as_posix())
        for index, token in enumerate(unit.tokens):
            if token.kind is not Kind.NAME or token.text in NOT_NAMES or not _declares(unit, index):
                continue
            found.setdefault(token.text, Place(unit.path, unit.position(token.start)[0]))
    return found


def _declares(unit: Unit, index: int) -> bool:
    """Whether a name is that of a function or member declared here: `Tensor sum(...) const {`."""
    before = unit.tokens[index - 1] if index else None
    if before is None or not (before.kind is Kind.NAME or before.text in "&*>"):
        return False
    if before.text in ("return", "new", "else", "case") or not _is_open(unit, index + 1):
        return False
    call = unit.arguments(index + 1)
    after = [t.text for t in unit.tokens[call[1] + 1 : call[1] + 2]] if call else []
    return bool(after) and after[0] in ("{", "const", "noexcept", "override")
