"""Which process is at work where, written down so that it can be known after a kill."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, pid: int) -> None:
    """Say in `path` that the process `pid` is at work."""
    path.write_text(f"{pid} {_began(pid) or ''}")


def read(path: Path) -> int | None:
    """The living process that `path` names: one of that number that began at another time
    is not it. None where there is none, or no such file."""
    try:
        number, _, began = path.read_text().partition(" ")
        pid = int(number)
    except (OSError, ValueError):
        return None
    return pid if _lives(pid) and began.strip() == (_began(pid) or "") else None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's
        return True
    return True


def _began(pid: int) -> str | None:
    """When a process began, in ticks since the machine did; None where the system has no /proc."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return status.rpartition(")")[2].split()[19]
