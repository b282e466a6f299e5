"""Polyfill folders to pieces: as written, validated, frozen; a folder that fails is fatal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from porter.errors import RuleError
from porter.host import compiled
from porter.host.home import page
from porter.rules.written import Reader, check_table, load_toml, one_of, text, texts
from porter.surface.quirks import Quirk, read_quirks
from porter.unit.family import METHODS, Member, keyword_forms, split
from porter.unit.parts import Part, parts_of

HINT = f"{page('how-to/add-a-polyfill.md')} lists the keys of a polyfill"
CODE = {"python": "piece.py", "cpp": "include/**/*", "build": "**/*"}
# What every C++ piece needs: headers get their place from the one, and are merged by the other.
NATIVE = ("build/extension_builder", "build/header_merger")


class Plane(StrEnum):
    """The part of the unit that a piece goes to: its folder below polyfills/."""

    PYTHON = "python"
    CPP = "cpp"
    BUILD = "build"


class Condition(StrEnum):
    """What of a repository, other than a name it uses, makes a piece needed."""

    BEYOND_TARGET = "extensions-beyond-target"  # several, positional arguments, CUDA_HOME
    PYBIND11_ON_CPU = "pybind11-on-cpu"
    CMAKE_FINDS_TORCH = "cmake-finds-torch"
    FOR_ASCEND = "for-ascend-npus"
    REACHED_FROM_TORCH = "reached-from-torch"  # what it mentions, where torch.nn is not imported


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
    quirks: tuple[str, ...]  # or that none of these holds
    when: Condition | None
    shown_by: tuple[str, ...]  # patterns of what a test says that needs the piece
    mentions: tuple[str, ...]  # words of the sources that make a piece needed
    instead_of: tuple[str, ...]  # rules whose sites need no edit with the piece
    catalogue: tuple[str, ...]
    later: tuple[str, ...]  # modules the target lacks: a package runs the piece when they are used
    files: tuple[tuple[str, bytes], ...]
    parts: tuple[Part, ...] = ()  # of a C++ piece: its declarations, of which a unit has those used
    keywords: tuple[str, ...] = ()  # forms of call with a keyword that its functions take

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of call that are right with the piece."""
        return (*self.accepts, *self.keywords)

    @property
    def rule(self) -> str:
        """The name that changes and reports give it."""
        return f"polyfills/{self.id}"

    @property
    def triggers(self) -> tuple[str, ...]:
        """The patterns of what a test says that needs the piece: its own, and that tensors have no
        member which it provides, as no name in the sources may tell."""
        members = (name for name in self.provides if name.startswith(f"{METHODS}."))
        return (*self.shown_by, *map(_error_without, members))

    @property
    def is_helper(self) -> bool:
        """Whether only other pieces call it: a function of a family that torch does not name."""
        return "." in self.id and not self.provides


KEYS: dict[str, Reader] = {
    "title": text,
    "why": text,
    "until": text,
    "provides": texts,
    "each": texts,
    "accepts": texts,
    "needs": texts,
    "missing": texts,
    "quirks": texts,
    "shown_by": texts,
    "mentions": texts,
    "instead_of": texts,
    "when": one_of({condition.value: condition for condition in Condition}),
    "catalogue": texts,
    "later": texts,
}

FAMILY = ("why", "each", "needs", "catalogue")  # a title is made of a member's names


def pieces(folder: Path) -> tuple[Piece, ...]:
    """Every piece below a polyfills folder, sorted by id; a family is a piece for each function.

    Raises RuleError naming file and key for an unknown or missing key, a value of
    another type, a need that is no piece, and a piece without code.
    """
    return compiled.load("pieces", folder, lambda: _read(folder))


def _read(folder: Path) -> tuple[Piece, ...]:
    loaded = [
        _load(folder, path.parent)
        for path in sorted(folder.glob("*/*/polyfill.toml"))
        if path.parent.parent.name in CODE
    ]
    found = tuple(sorted(_together(loaded), key=lambda piece: piece.id))
    ids = {piece.id for piece in found}
    for piece in found:
        for need in piece.needs:
            if need not in ids:
                path = folder / _folder(piece.id) / "polyfill.toml"
                raise RuleError(f"{path}: needs: unknown polyfill {need!r}", hint=HINT)
    _distinct(found)
    return found


def _folder(id: str) -> str:
    """Where a piece is, below polyfills/: a member of a family is in that of the family."""
    return id.partition(".")[0]


def _together(loaded: Iterable[Piece | tuple[Piece, tuple[Member, ...]]]) -> Iterator[Piece]:
    """Pieces alone as they are; of families each member, with the members of all that it uses."""
    families = []
    for item in loaded:
        if isinstance(item, Piece):
            yield item
        else:
            families.append(item)
    owners: dict[str, str] = {}
    for family, members in families:
        for member in members:
            if owners.setdefault(member.name, family.id) != family.id:
                said = f"{family.id}: {member.name} also belongs to {owners[member.name]}"
                raise RuleError(said, hint=HINT)
    for family, members in families:
        yield from (_make_family_piece(family, member, owners) for member in members)


def _make_family_piece(family: Piece, member: Member, owners: Mapping[str, str]) -> Piece:
    used = [f"{owners[name]}.{name}" for name in sorted(member.mentions & owners.keys())]
    title = f"{member.name}, for other polyfills"
    if member.provides:
        title = " and ".join(filter(None, [", ".join(member.provides[:-1]), member.provides[-1]]))
    return replace(
        family,
        id=f"{family.id}.{member.name}",
        title=title,
        until=_describe_until(member.provides),
        provides=member.provides,
        missing=member.provides,
        shown_by=tuple(_error_without(name) for name in member.provides),
        needs=tuple(dict.fromkeys([*member.needs, *family.needs, *used])),
        files=(("piece.py", member.code.encode()),),
        keywords=tuple(keyword_forms(member.code, member.provides)),
    )


def _error_without(name: str) -> str:
    """What a test says that is lost without a name: where no name in the sources tells of it."""
    home, _, last = name.rpartition(".")
    below = re.escape(home.removeprefix("torch"))
    said = "'Tensor' object" if home == METHODS else rf"module '\w+{below}'"
    return f"{said} has no attribute '{re.escape(last)}'"


def _distinct(found: tuple[Piece, ...]) -> None:
    """Raise RuleError where two pieces would write or declare the same in a unit."""
    owners: dict[str, str] = {}
    for piece in found:
        files = [name for name, _ in piece.files if piece.plane is Plane.BUILD]
        for name in (*files, *(p.id for p in piece.parts if not p.loose)):
            if owners.setdefault(name, piece.id) != piece.id:
                raise RuleError(f"{piece.id}: {name} also belongs to {owners[name]}", hint=HINT)


def _load(root: Path, folder: Path) -> Piece | tuple[Piece, tuple[Member, ...]]:
    path = folder / "polyfill.toml"
    plane = Plane(folder.parent.name)
    written = load_toml(path)
    family = plane is Plane.PYTHON and "each" in written
    keys = {key: KEYS[key] for key in FAMILY} if family else {**KEYS}
    if not family:
        del keys["each"]
    required = ("title", "why", *(("provides",) if plane is not Plane.CPP else ()))
    values = check_table(path, written, keys, required=("why", "each") if family else required)
    found = sorted(folder.glob(CODE[plane.value]))
    paths = [p for p in found if p.is_file() and p.suffix not in (".toml", ".pyc")]
    if not paths:
        raise RuleError(f"{path}: its code, {CODE[plane.value]}, is missing", hint=HINT)
    files = tuple((p.relative_to(folder).as_posix(), p.read_bytes()) for p in paths)
    for name, data in files:
        if b"\r" in data:
            raise RuleError(f"{folder / name}: line endings must be LF, not CRLF", hint=HINT)
    _check_patterns(path, values.get("shown_by", ()))
    id = folder.relative_to(root).as_posix()
    parts = parts_of(id, files) if plane is Plane.CPP else ()
    provides = (*values.get("provides", ()), *names_provided(parts))
    quirks = _quirks(path, root.parent, values.get("quirks", ()))
    by_names = plane is not Plane.BUILD and bool(values.get("missing") or provides)
    if not (family or by_names or quirks or values.get("until")):
        raise RuleError(f"{path}: provides, missing, quirks or until is required", hint=HINT)
    piece = Piece(
        id=id,
        plane=plane,
        title=values.get("title", ""),
        why=" ".join(values["why"].split()),
        until=_describe_until(values.get("missing") or provides, quirks, values.get("until", "")),
        provides=provides,
        accepts=values.get("accepts", ()),
        needs=tuple(dict.fromkeys([*values.get("needs", ()), *_native_folders(root, parts)])),
        missing=values.get("missing", ()),
        quirks=tuple(quirk.id for quirk in quirks),
        when=values.get("when"),
        shown_by=values.get("shown_by", ()),
        mentions=values.get("mentions", ()),
        instead_of=values.get("instead_of", ()),
        catalogue=values.get("catalogue", ()),
        later=values.get("later", ()),
        files=files,
        parts=parts,
        keywords=_keywords(plane, files, provides),
    )
    if not family:
        return piece
    return piece, split(folder / "piece.py", files[0][1].decode(), values["each"])


def _keywords(
    plane: Plane, files: Sequence[tuple[str, bytes]], provides: Sequence[str]
) -> tuple[str, ...]:
    if plane is not Plane.PYTHON:
        return ()
    return tuple(keyword_forms(files[0][1].decode(), provides))


def _check_patterns(path: Path, patterns: Iterable[str]) -> None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise RuleError(f"{path}: shown_by: {pattern!r}: {error}", hint=HINT) from error


def _quirks(path: Path, target: Path, ids: Iterable[str]) -> tuple[Quirk, ...]:
    known = read_quirks(target)
    for id in ids:
        if id not in known:
            raise RuleError(f"{path}: quirks: unknown quirk {id!r}", hint=HINT)
    return tuple(known[id] for id in ids)


def _describe_until(names: Sequence[str], quirks: Iterable[Quirk] = (), written: str = "") -> str:
    """Say when a piece is not needed any more."""
    more = ", ..." if len(names) > 3 else ""
    listed = ", ".join(f"`{name}`" for name in names[:3])
    has = (
        f"the target has {listed}{more} with torch's behavior"
        if names
        else "no other polyfill needs it"
    )
    return "; ".join(quirk.until for quirk in quirks) or written or has


def _native_folders(root: Path, parts: tuple[Part, ...]) -> tuple[str, ...]:
    return tuple(need for need in NATIVE if parts and (root / need).is_dir())


def names_provided(parts: Iterable[Part]) -> tuple[str, ...]:
    """The names and headers that parts give, as uses in C++ name them."""
    names = [name for part in parts if not part.loose for name in part.names]
    return tuple(dict.fromkeys([*names, *(f"<{part.header}>" for part in parts)]))
