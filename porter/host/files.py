"""Write a file whole or not at all: a kill or a full disk leaves the old one as it was."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from porter.host import alive

if TYPE_CHECKING:
    from cattrs.preconf.json import JsonConverter

MARK = ".porter-"  # begins the names of files that are being written
LARGE = 1 << 20  # bytes; smaller files are not worth a look
T = TypeVar("T")


def replace(
    path: Path, data: bytes | str, mode: int | None = None, aside: Path | None = None
) -> None:
    """Bring a file to these bytes, by a new file beside it, or in the folder `aside` of the same
    file system. Its mode is by default that of any new file."""
    new = (aside or path.parent) / f"{MARK}{alive.token()}-{secrets.token_hex(8)}"
    first = 0o666 if mode is None else 0o600  # until it is complete
    file = os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, first), "wb")
    try:
        with file:
            file.write(data.encode() if isinstance(data, str) else data)
        if mode is not None:
            new.chmod(mode)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def share(folder: Path, store: Path) -> None:
    """Let large files below a folder be one with equal ones that were given to the store before, by
    hard links; where the disk has none, they stay as they are.

    For files that are replaced and not written to, as pip does: who writes to one writes to all.
    """
    for path in folder.rglob("*"):
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size < LARGE or status.st_nlink > 1:
            continue
        digest = _digest(path)
        known = store / f"{digest}-{stat.S_IMODE(status.st_mode):o}"
        with contextlib.suppress(OSError):
            store.mkdir(parents=True, exist_ok=True)
            if not known.exists():
                known.hardlink_to(path)
            elif _digest(known) == digest:  # a step may have written to what it was linked with
                new = path.with_name(f"{MARK}{alive.token()}-{secrets.token_hex(8)}")
                new.hardlink_to(known)
                new.replace(path)


def copy(path: str, to: str) -> None:
    """Copy a file; of a large one the copy is the same file, as `share` has it."""
    if Path(path).stat().st_size >= LARGE:
        with contextlib.suppress(OSError):
            Path(to).hardlink_to(path)
            return
    shutil.copy2(path, to)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sweep(folder: Path) -> None:
    """Delete what killed processes were writing in a folder."""
    for path in folder.glob(f"{MARK}*"):
        if not alive.names_the_living(path.name.removeprefix(MARK).partition("-")[0]):
            path.unlink(missing_ok=True)


def create(path: Path, data: bytes, mode: int) -> None:
    """Make a new file in one step. Where the file system knows files without a name, a kill leaves
    no other file either. Raises FileExistsError."""
    unnamed = getattr(os, "O_TMPFILE", 0)
    try:
        handle = os.open(path.parent, unnamed | os.O_WRONLY, mode) if unnamed else None
    except OSError:  # not on this file system
        handle = None
    if handle is None:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="tmp_obj_porter_")
    else:
        name = f"/proc/self/fd/{handle}"
    try:
        with os.fdopen(handle, "wb", closefd=False) as file:
            file.write(data)
        os.fchmod(handle, mode)
        os.fsync(handle)
        os.link(name, path, src_dir_fd=handle, follow_symlinks=True)  # else a link to the link
    finally:
        os.close(handle)
        if not name.startswith("/proc/"):
            Path(name).unlink(missing_ok=True)


def save(path: Path, value: object) -> None:
    """Keep a dataclass as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, _converter().dumps(value))


def load(path: Path, kind: type[T]) -> T | None:
    """A dataclass that was saved; None where there is none, or one of another version of porter."""
    from cattrs.errors import BaseValidationError

    try:
        return _converter().loads(path.read_text(), kind)
    except (OSError, ValueError, BaseValidationError):
        return None


@functools.cache
def _converter() -> JsonConverter:
    from cattrs.preconf.json import make_converter

    return make_converter(forbid_extra_keys=True)
