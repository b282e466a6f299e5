"""A source distribution from the package index: found, downloaded, checked, unpacked safely."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
import posixpath
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from packaging.specifiers import SpecifierSet

from porter.errors import NetworkError, SourceError, is_full
from porter.sources import package_index
from porter.sources.repository import is_git

LARGEST_ARCHIVE = 2 << 30  # bytes
LARGEST_TREE = 8 << 30
LARGEST_RATIO = 100  # of a tree to its archive; sources come to 4, tables of numbers to 30
ALWAYS_TAKEN = 64 << 20  # bytes of a tree, whatever the ratio
MOST_MEMBERS = 300_000
DEEPEST = 100  # folders
_CHUNK = 1 << 20
_LARGEST_HEADER = 8 << 20
_LONGEST_LINK = 4096
_BROKEN = (  # what the readers of archives raise for damaged ones
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError),
    *(OSError, ValueError, RuntimeError, OverflowError, KeyError),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A downloaded sdist; `sha256` is of the bytes on disk."""

    path: Path
    version: str
    sha256: str
    url: str
    notes: tuple[str, ...] = ()


def download(
    name: str,
    version: str | SpecifierSet | None,
    folder: Path,
    progress: Callable[[str], None],
) -> Archive:
    """Download the sdist of a distribution from the index that pip is configured for.

    Without a version: the newest release that has an sdist (and that a specifier allows). Nothing
    of it is executed.
    Raises SourceError (no such distribution, version or sdist; wrong hash), NetworkError.
    """
    found = package_index.find(name, version, progress)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / found.filename
    progress(f"downloading {found.filename}")
    sha256 = _save(found, path)
    if found.sha256 is not None and sha256 != found.sha256:
        path.unlink()
        raise SourceError(
            f"{found.filename} has sha256 {sha256}, the index says {found.sha256}",
            hint="try again; if it persists, the index or a proxy serves a changed file",
        )
    notes = () if found.sha256 else ("the index states no hash for this file",)
    url = package_index.strip_credentials(found.url)
    return Archive(path=path, version=found.version, sha256=sha256, url=url, notes=notes)


def _save(found: package_index.Candidate, path: Path) -> str:
    digest, size = hashlib.sha256(), 0
    part = path.with_name(path.name + ".part")
    try:
        with package_index.open_url(found.url) as response, part.open("wb") as file:
            while chunk := response.read(_CHUNK):
                size += len(chunk)
                if size > LARGEST_ARCHIVE:
                    raise SourceError(f"{found.filename} is over 2 GiB", hint="give a folder")
                digest.update(chunk)
                file.write(chunk)
    except OSError as error:
        if is_full(error):
            raise
        raise NetworkError(
            f"{found.filename} could not be downloaded: {error}",
            hint="check the network and pip's index settings (`pip config list`)",
        ) from error
    part.rename(path)
    return digest.hexdigest()


# ----------------------------------------------------------------- unpacking


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    path: PurePosixPath
    size: int
    executable: bool
    link: str | None  # symbolic
    copy_of: str | None  # hard link: another member's name
    folder: bool
    odd: bool  # a device or pipe
    open: Callable[[], IO[bytes] | None]


class _Gzip(gzip.GzipFile):
    """A compressed archive that gives no more than a limit, and never much at once."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(path, "rb")
        self.most = most

    def read(self, size: int | None = -1) -> bytes:
        if size is None or not 0 <= size <= _LARGEST_HEADER:
            raise ValueError("a header is too large")
        self._require(self.tell() + size)
        return super().read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._require(offset)
        return super().seek(offset, whence)

    def _require(self, end: int) -> None:
        if end > self.most:
            raise ValueError("it is too large")


def unpack(archive: Path, tree: Path) -> tuple[str, ...]:
    """Unpack an sdist so that `tree` is its top folder; files only ever land inside of it.

    Gives notes on what is left out. Raises SourceError for a member that would escape, is a
    device, or is beyond the limits.
    """
    size = archive.stat().st_size
    most = min(LARGEST_TREE, max(ALWAYS_TAKEN, LARGEST_RATIO * size))
    tree.parent.mkdir(parents=True, exist_ok=True)
    part = tree.with_name(tree.name + ".part")
    if part.exists():
        shutil.rmtree(part)
    part.mkdir()
    try:
        if archive.name.endswith(".zip"):
            with zipfile.ZipFile(archive) as zipped:
                left = _extract(_zip_members(zipped), part, archive.name, most)
        else:
            headers = 2 * most  # an archive of empty files is mostly that
            with (
                _Gzip(archive, headers) as stream,
                tarfile.open(fileobj=stream, mode="r:") as tarred,
            ):
                left = _extract(_tar_members(tarred), part, archive.name, most)
        _top(part).rename(tree)
    except _BROKEN as error:
        if isinstance(error, OSError) and is_full(error):
            raise
        raise SourceError(
            f"{archive.name} cannot be unpacked: {error}", hint="download it again"
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if not left:
        return ()
    some = ", ".join(left[:3]) + (" and others" if len(left) > 3 else "")
    return (f"omitted from {archive.name}, because its git repository is not used: {some}",)


def _top(part: Path) -> Path:
    """The one folder an sdist holds; the unpacked folder itself where there is another form."""
    entries = list(part.iterdir())
    if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink():
        return entries[0]
    return part


def _extract(members: Iterator[_Member], root: Path, name: str, most: int) -> list[str]:
    """Write the members; give the git folders and files that are left out."""
    total = 0
    links: list[_Member] = []
    left: dict[str, None] = {}
    for count, member in enumerate(members):
        total += member.size
        if count >= MOST_MEMBERS or total > most or len(member.path.parts) > DEEPEST:
            raise SourceError(
                f"{name} is too large to unpack", hint="unpack it, and use the folder as the source"
            )
        target = root / member.path
        if _is_inside(member.path) and (found := _git_part(member)) is not None:
            left[found] = None
            continue
        _require_inside(member, name)
        _require_real_parents(root, target, name)
        if member.link is not None:
            links.append(member)
        if member.folder:
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink() or target.is_file():
            target.unlink()  # the later member of a name wins
        _write(member, root, target, name)
    top = os.path.realpath(root)
    for member in links:  # through other links, where `..` is not what it looks like
        if not Path(os.path.realpath(root / member.path)).is_relative_to(top):
            raise _hostile(member, name)
    return [*left]


def _git_part(member: _Member) -> str | None:
    """The git folder, or file of one, that a member is or lies in."""
    parts = member.path.parts
    for count, part in enumerate(parts, 1):
        if is_git(part, link=member.link is not None and count == len(parts)):
            return str(PurePosixPath(*parts[:count]))
    return None


def _write(member: _Member, root: Path, target: Path, name: str) -> None:
    if member.link is not None:
        target.symlink_to(member.link)
    elif member.copy_of is not None:
        origin = root / member.copy_of
        _require_real_parents(root, origin, name)
        if origin.is_symlink() or not origin.is_file():
            raise _hostile(member, name)
        shutil.copyfile(origin, target)
    else:
        source = member.open()
        assert source is not None
        with source, target.open("xb") as file:
            shutil.copyfileobj(source, file, _CHUNK)
        target.chmod(0o755 if member.executable else 0o644)


def _require_inside(member: _Member, name: str) -> None:
    if member.odd or not _is_inside(member.path):
        raise _hostile(member, name)
    if member.link is not None:
        joined = PurePosixPath(posixpath.normpath(member.path.parent / member.link))
        if joined.is_absolute() or joined.parts[:1] == ("..",) or len(joined.parts) < 2:
            raise _hostile(member, name)
    if member.copy_of is not None and not _is_inside(PurePosixPath(member.copy_of)):
        raise _hostile(member, name)


def _is_inside(path: PurePosixPath) -> bool:
    return not path.is_absolute() and ".." not in path.parts and "\\" not in str(path)


def _require_real_parents(root: Path, target: Path, name: str) -> None:
    """No member is written through a link that another member made."""
    for parent in target.relative_to(root).parents:
        if (root / parent).is_symlink():
            raise SourceError(f"{name} writes through a link: {target.name}", hint="do not use it")


def _hostile(member: _Member, name: str) -> SourceError:
    return SourceError(
        f"{name} contains a member outside of its folder, or one that is not a file: {member.path}",
        hint="the archive is broken or malicious; do not use it",
    )


def _tar_members(tarred: tarfile.TarFile) -> Iterator[_Member]:
    for info in tarred:
        yield _Member(
            path=PurePosixPath(info.name),
            size=info.size,
            executable=bool(info.mode & stat.S_IXUSR),
            link=info.linkname if info.issym() else None,
            copy_of=info.linkname if info.islnk() else None,
            folder=info.isdir(),
            odd=not (info.isfile() or info.isdir() or info.issym() or info.islnk()),
            open=lambda info=info: tarred.extractfile(info),  # type: ignore[misc]
        )


def _zip_members(zipped: zipfile.ZipFile) -> Iterator[_Member]:
    for info in zipped.infolist():
        mode = info.external_attr >> 16
        link = stat.S_ISLNK(mode)
        if link and info.file_size > _LONGEST_LINK:
            raise ValueError(f"{info.filename} is a link of {info.file_size} bytes")
        yield _Member(
            path=PurePosixPath(info.filename),
            size=info.file_size,
            executable=bool(mode & stat.S_IXUSR),
            link=zipped.read(info).decode("utf-8", "replace") if link else None,
            copy_of=None,
            folder=info.is_dir(),
            odd=stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK),
            open=lambda info=info: zipped.open(info),  # type: ignore[misc]
        )
