"""The files of a tree that porter reads, each with its language and role, and those it leaves."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from porter.languages.data import read_bytes
from porter.model import EXCLUDED, Language, Role, Skipped, SourceFile
from porter.survey import roles

LARGEST = 20 * 1024 * 1024  # bytes; what is larger is generated or data
_PEEK = 65_536

_CPP = ".c .cc .cpp .cxx .cu .asc .h .hh .hpp .hxx .cuh .inl .inc .ipp .tpp"
SUFFIXES = {
    ".py": Language.PYTHON,
    ".pyi": Language.PYTHON,
    ".pyx": Language.CYTHON,
    ".pxd": Language.CYTHON,
    ".ipynb": Language.NOTEBOOK,
    ".cmake": Language.CMAKE,
    **dict.fromkeys(_CPP.split(), Language.CPP),
}
NAMES = {"CMakeLists.txt": Language.CMAKE, "pyproject.toml": Language.TOML}
DOCUMENTS = (".md", ".markdown", ".mdx", ".rst")
DATA = (".yaml", ".yml", ".json")
PATCHES = (".patch", ".diff")
_LARGEST_DATA = 2**20  # bytes; a list of operators by hand is smaller
CACHES = frozenset((".git", ".hg", ".svn", "__pycache__", ".tox", ".nox", ".eggs", "node_modules"))
CACHES |= {".ipynb_checkpoints"} | {f".{tool}_cache" for tool in ("mypy", "ruff", "pytest")}


@dataclass(frozen=True, slots=True)
class Discovery:
    """What there is to read, sorted by path, and what is not read and why."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    documents: tuple[str, ...] = ()  # paths; looked at and never edited
    data: tuple[str, ...] = ()  # paths of yaml and json files, likewise
    patches: tuple[str, ...] = ()  # paths of patches to somebody else's sources, likewise


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    size: int


def discover(root: Path, *, untracked: bool = False, exclude: Sequence[str] = ()) -> Discovery:
    """List the source files below `root`: git's tracked files in a clone, else all of them.

    With `untracked` a clone's uncommitted files too, as a checkout of it takes them. What a
    pattern of `exclude` matches is left out, and what is below it. Links are never followed.
    Raises nothing for odd files: each is in `skipped`.
    """
    skipped: list[Skipped] = []
    found = [*_list(root, untracked, skipped)]
    found = [*_drop_excluded(found, exclude, skipped)] if exclude else found
    sources = (entry for entry in found if language(entry.path) is not None)
    entries = [entry for entry in sources if _readable(root, entry, skipped)]
    texts = [e.path for e in found if e.path.endswith(DOCUMENTS) and e.size <= LARGEST]
    data = [e.path for e in found if e.path.endswith(DATA) and e.size <= _LARGEST_DATA]
    patches = sorted(e.path for e in found if e.path.endswith(PATCHES) and e.size <= LARGEST)
    assign = roles.role_finder(root, [entry.path for entry in entries], _folders_left(skipped))
    files = tuple(
        SourceFile(entry.path, _language(entry.path), assign(entry.path), entry.size)
        for entry in sorted(entries, key=lambda e: e.path)
    )
    own = (path for path in sorted(texts) if assign(path) is not Role.VENDORED)
    left = tuple(sorted(skipped, key=lambda s: s.path))
    return Discovery(files, left, tuple(own), tuple(sorted(data)), tuple(patches))


def _drop_excluded(
    entries: Iterable[_Entry], patterns: Sequence[str], skipped: list[Skipped]
) -> Iterator[_Entry]:
    """Yield what no pattern matches; list the topmost folders that one matches in `skipped`."""
    matches = re.compile("|".join(map(fnmatch.translate, patterns))).match
    gone: set[str] = set()
    for entry in entries:
        ends = (at for at, sign in enumerate(f"{entry.path}/") if sign == "/")
        place = next((entry.path[:end] for end in ends if matches(entry.path[:end])), None)
        if place is None:
            yield entry
        else:
            gone.add(place)
    skipped += (Skipped(path, EXCLUDED, meant=True) for path in sorted(gone))


def find_own(root: Path) -> Iterator[tuple[Language, bytes]]:
    """Language and bytes of each source file, uncommitted ones too, that is not vendored."""
    skipped: list[Skipped] = []
    entries = [e for e in _list(root, True, skipped) if language(e.path) and e.size <= LARGEST]
    paths = [entry.path for entry in entries]
    is_vendored = roles.vendored_finder(root, paths, _folders_left(skipped))
    for path in paths:
        if not is_vendored(path):
            data = read_bytes(root / path)
            if b"\0" not in data[:_PEEK]:
                yield _language(path), data


def language(path: str) -> Language | None:
    """What reads a file of this name; None for what porter does not read."""
    pure = PurePosixPath(path)
    return NAMES.get(pure.name) or SUFFIXES.get(pure.suffix.lower())


def _language(path: str) -> Language:
    found = language(path)
    assert found is not None
    return found


def _folders_left(skipped: list[Skipped]) -> frozenset[str]:
    return frozenset(s.path for s in skipped if s.reason == "submodule")


# ------------------------------------------------------------------- listing


def _list(root: Path, untracked: bool, skipped: list[Skipped]) -> Iterator[_Entry]:
    from porter.sources.view import list_tracked

    paths = list_tracked(root, untracked=untracked)
    if paths is None:
        return _walk(root, skipped)
    if untracked:  # the user may have deleted tracked ones
        paths = tuple(path for path in paths if os.path.lexists(f"{root}/{path}"))
    return _list_entries(root, paths, skipped)


def _list_entries(root: Path, paths: tuple[str, ...], skipped: list[Skipped]) -> Iterator[_Entry]:
    parents: dict[str, bool] = {}
    for path in paths:
        if _has_link_above(root, path, parents):
            skipped.append(Skipped(path, "below a symbolic link", meant=True))
            continue
        entry = _entry(root, path, skipped)
        if entry is not None:
            yield entry


def _has_link_above(root: Path, path: str, known: dict[str, bool]) -> bool:
    parent = path.rpartition("/")[0]
    if not parent:
        return False
    if parent not in known:
        known[parent] = (root / parent).is_symlink() or _has_link_above(root, parent, known)
    return known[parent]


def _walk(root: Path, skipped: list[Skipped]) -> Iterator[_Entry]:
    stack = [""]
    while stack:
        folder = stack.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda e: e.name)
        except OSError as error:
            skipped.append(Skipped(folder or ".", f"unreadable: {error.strerror}"))
            continue
        for item in entries:
            path = f"{folder}/{item.name}" if folder else item.name
            if item.is_dir(follow_symlinks=False):
                try:
                    reason = _explain_generated(root / path)
                except OSError as error:
                    skipped.append(Skipped(path, f"unreadable: {error.strerror}"))
                    continue
                if reason is None:
                    stack.append(path)
                elif item.name not in CACHES:
                    skipped.append(Skipped(path, reason, meant=True))
                continue
            entry = _entry(root, path, skipped)
            if entry is not None:
                yield entry


def _explain_generated(folder: Path) -> str | None:
    """Why a folder holds results rather than sources."""
    name = folder.name
    if name in CACHES:
        return "cache"
    if name.endswith((".egg-info", ".dist-info")):
        return "package metadata"
    if (folder / "pyvenv.cfg").exists():
        return "virtual environment"
    if (folder / "CMakeCache.txt").exists():
        return "build output of CMake"
    both = ("lib*/", "temp.*/") if name == "build" else ()
    built = both and all(any(folder.glob(pattern)) for pattern in both)
    if built or (name == "build" and any(c.name.startswith("bdist.") for c in folder.iterdir())):
        return "build output of setuptools"
    return None


def _entry(root: Path, path: str, skipped: list[Skipped]) -> _Entry | None:
    """A file to read; links to folders and submodules are named, whatever their suffix."""
    if not path.isprintable():  # surrogates too: bytes that are not UTF-8
        if language(path) is not None:
            skipped.append(Skipped(ascii(path)[1:-1], "its name cannot be printed"))
        return None
    try:
        status = os.lstat(f"{root}/{path}")
    except OSError as error:
        if language(path) is not None:
            skipped.append(Skipped(path, f"unreadable: {error.strerror}"))
        return None
    if stat.S_ISLNK(status.st_mode):
        reason = _link_reason(root, path)
        if reason is not None:
            skipped.append(Skipped(path, reason, meant=True))
        return None
    if stat.S_ISDIR(status.st_mode):
        skipped.append(Skipped(path, "submodule", meant=True))
        return None
    if language(path) is None and not path.endswith((*DOCUMENTS, *DATA, *PATCHES)):
        return None
    if not stat.S_ISREG(status.st_mode):
        skipped.append(Skipped(path, "not a regular file", meant=True))
        return None
    return _Entry(path, status.st_size)


def _link_reason(root: Path, path: str) -> str | None:
    try:
        target = (root / path).resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a loop, before Python 3.13
        return "symbolic link that leads nowhere or in a circle"
    if not target.is_relative_to(root.resolve()):
        return "symbolic link out of the tree"
    if target.is_dir() or language(path) is not None:
        return "symbolic link; its target is read where it stands"
    return None


def _readable(root: Path, entry: _Entry, skipped: list[Skipped]) -> bool:
    if entry.size > LARGEST:
        limit, size = LARGEST >> 20, entry.size / 2**20
        what = "notebook too large" if entry.path.endswith(".ipynb") else "too large"
        skipped.append(Skipped(entry.path, f"{what}: {size:.0f} MiB, limit {limit} MiB"))
        return False
    try:
        with (root / entry.path).open("rb") as file:
            head = file.read(_PEEK)
    except OSError as error:
        skipped.append(Skipped(entry.path, f"unreadable: {error.strerror}"))
        return False
    if b"\0" in head:
        wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
        skipped.append(Skipped(entry.path, "UTF-16" if wide else "binary: contains NUL bytes"))
        return False
    return True
