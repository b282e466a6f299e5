"""Polyfill folders to pieces: as written, validated, frozen; a folder that fails is fatal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from porter.errors import RuleError
from porter.rules.written import Reader, checked, load_toml, one_of, text, texts

HINT = "docs/how-to/add-a-polyfill.md lists the keys of a polyfill"
CODE = {"python": "piece.py", "cpp": "include", "build": "build.py"}


class Plane(StrEnum):
    """The part of the unit that a piece goes to: its folder below polyfills/."""

    PYTHON = "python"
    CPP = "cpp"
    BUILD = "build"


class Condition(StrEnum):
    """What of a repository, other than a name it uses, makes a piece needed."""

    SEVERAL_EXTENSIONS = "several-extensions"
    PYBIND11_ON_CPU = "pybind11-on-cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One polyfill; `id` is its folder below polyfills/, `files` its code by relative path."""

    id: str
    plane: Plane
    title: str
    why: str
    until: str
    provides: tuple[str, ...]
    accepts: tuple[str, ...]  # forms of call that the target rejects: `torch.f(key=)`
    needs: tuple[str, ...]
    missing: tuple[str, ...]  # present in the target, these make the piece unnecessary
    when: Condition | None
    catalogue: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]

    @property
    def rule(self) -> str:
        """The name that changes and reports give it."""
        return f"polyfills/{self.id}"


KEYS: dict[str, Reader] = {
    "title": text,
    "why": text,
    "until": text,
    "provides": texts,
    "accepts": texts,
    "needs": texts,
    "missing": texts,
    "when": one_of({condition.value: condition for condition in Condition}),
    "catalogue": texts,
}


def pieces(folder: Path) -> tuple[Piece, ...]:
    """Every piece below a polyfills folder, sorted by id.

    Raises RuleError naming file and key for an unknown or missing key, a value of
    another type, a need that is no piece, and a piece without code.
    """
    found = tuple(
        _load(folder, path.parent)
        for path in sorted(folder.glob("*/*/polyfill.toml"))
        if path.parent.parent.name in CODE
    )
    ids = {piece.id for piece in found}
    for piece in found:
        for need in piece.needs:
            if need not in ids:
                path = folder / piece.id / "polyfill.toml"
                raise RuleError(f"{path}: needs: there is no piece {need!r}", hint=HINT)
    _distinct(found)
    return found


def _distinct(found: tuple[Piece, ...]) -> None:
    """Raise RuleError where two native pieces would write the same file of a unit."""
    owners: dict[str, str] = {}
    for piece in found:
        for name, _ in piece.files if piece.plane is not Plane.PYTHON else ():
            if name in owners:
                raise RuleError(f"{piece.id}: {name} is also a file of {owners[name]}", hint=HINT)
            owners[name] = piece.id


def _load(root: Path, folder: Path) -> Piece:
    path = folder / "polyfill.toml"
    plane = Plane(folder.parent.name)
    values = checked(path, load_toml(path), KEYS, required=("title", "why", "until", "provides"))
    code = folder / CODE[plane.value]
    if not code.exists():
        raise RuleError(f"{path}: its code, {code.name}, is missing", hint=HINT)
    paths = [code] if code.is_file() else sorted(p for p in code.rglob("*") if p.is_file())
    files = tuple((p.relative_to(folder).as_posix(), p.read_bytes()) for p in paths)
    for name, data in files:
        if b"\r" in data:
            raise RuleError(f"{folder / name}: lines end with a carriage return", hint=HINT)
    return Piece(
        id=folder.relative_to(root).as_posix(),
        plane=plane,
        title=values["title"],
        why=" ".join(values["why"].split()),
        until=values["until"],
        provides=values["provides"],
        accepts=values.get("accepts", ()),
        needs=values.get("needs", ()),
        missing=values.get("missing", ()),
        when=values.get("when"),
        catalogue=values.get("catalogue", ()),
        files=files,
    )
