"""Which process is at work where, written down so that it can be known after a kill."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


def write(path: Path, pid: int) -> None:
    """Say in `path` that the process `pid` is at work."""
    path.write_text(f"{pid} {_began(pid) or ''}")


def read(path: Path) -> int | None:
    """The living process that `path` names: one of that number that began at another time
    is not it. None where there is none, or no such file."""
    try:
        number, _, began = path.read_text().partition(" ")
    except (OSError, ValueError):
        return None
    return _same(number, began.strip())


def token() -> str:
    """This process, as part of a file's name."""
    return f"{os.getpid()}.{_began(os.getpid()) or ''}"


def names_the_living(token: str) -> bool:
    """Whether the process of a token still lives."""
    number, _, began = token.partition(".")
    return _same(number, began) is not None


def end_with(parent: int) -> None:
    """End this process when `parent`, which started it, does: of a kill, too (on Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent and _began(parent) is None:  # it was dead before this could be said
        os._exit(1)


def _same(number: str, began: str) -> int | None:
    try:
        pid = int(number)
    except ValueError:
        return None
    return pid if _lives(pid) and began == (_began(pid) or "") else None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # another user's
        return True
    return True


def _began(pid: int) -> str | None:
    """When a process began, in ticks since the machine did; None of a dead one that nobody has
    waited for, and where the system has no /proc."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = status.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]
