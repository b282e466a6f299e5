"""Where what is made once per installed Paddle is kept: answers of probes, headers, libraries."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

HOME = "PORTER_COMPAT_CACHE"


def folder() -> Path:
    """The folder of this Paddle and this package: another build or version has another one."""
    import paddle

    root = Path(paddle.__file__).resolve().parent
    made = max((root / name).stat().st_mtime_ns for name in ("__init__.py", "version/__init__.py"))
    own = Path(__file__).with_name("digest").read_text()  # of the files of this package
    text = f"{root}\0{made}\0{own}\0{sys.implementation.cache_tag}"
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    return _home() / f"{paddle.__version__}-{key}"


def _home() -> Path:
    chosen = os.environ.get(HOME)
    if chosen:
        return Path(chosen)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "porter_compat"
    try:
        return Path.home() / ".cache" / "porter_compat"
    except RuntimeError as error:  # a user without an entry, as containers have
        said = f"there is no folder for the cache of porter_compat: set {HOME} to one"
        raise OSError(errno.ENOENT, said, "~") from error


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time, where the system has such locks: they go with their process."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(held.enter_context(path.open("w")), fcntl.LOCK_EX)
        yield


def make(name: str, write: Callable[[Path], None], below: Path | None = None) -> Path:
    """A folder of the cache, or `below` another one, written whole by one process, though several
    come at once.

    Raises OSError, naming the variable that chooses another place, where it cannot be written.
    """
    made = (below or folder()) / name
    if made.is_dir():
        return made
    try:
        made.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=made.parent))
    except OSError as error:
        raise OSError(
            error.errno,
            f"cannot write the cache of porter_compat ({error.strerror}): set {HOME} to a folder",
            str(made.parent),
        ) from error
    try:
        with _alone(made.with_name(f".{name}.lock")):
            if not made.is_dir():
                write(new)
                new.chmod(0o755)
                new.rename(made)
    except OSError:
        if not made.is_dir():  # else another process was first, without locks: the same files
            raise
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return made
