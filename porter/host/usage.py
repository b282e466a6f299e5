"""What the processes of a step use, as /proc tells it."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from porter.host.sandbox import Limits, entries

_SHARE = 20  # of the time that measuring a folder takes, to wait until the next time


def descendants(pid: int) -> list[int]:
    """The living processes that a process started, and those that these started."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text(errors="replace").rpartition(")")[2].split()[1]
        except (OSError, IndexError):
            continue
        children[int(parent)].append(int(path.parent.name))
    found: list[int] = []
    todo = [pid]
    while todo:
        own = children.pop(todo.pop(), [])
        found += own
        todo += own
    return found


def make_group(processes: int) -> Path | None:
    """Make a control group of so many processes at most, where porter runs as root.

    The kernel holds root to no limit on processes, and a fork bomb outruns whoever counts them.
    None for other users, and where there are no control groups.
    """
    if os.geteuid() != 0:
        return None
    for root in (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup")):
        for left in root.glob("porter-*-*"):  # of a porter that was killed
            if not Path("/proc", left.name.split("-")[1]).exists():
                with contextlib.suppress(OSError):
                    left.rmdir()
        folder = root / f"porter-{os.getpid()}-{secrets.token_hex(4)}"
        try:
            folder.mkdir()
            (folder / "pids.max").write_text(str(processes))
        except OSError:
            remove_group(folder)
        else:
            return folder
    return None


def was_full(group: Path) -> bool:
    """Whether the kernel refused a process of a control group."""
    try:
        return any(
            int(line.split()[1]) for line in (group / "pids.events").read_text().splitlines()
        )
    except (OSError, ValueError, IndexError):
        return False


def remove_group(folder: Path) -> None:
    """Remove a control group once the last of its processes is gone."""
    for _ in range(20):
        with contextlib.suppress(OSError):
            folder.rmdir()
        if not folder.exists():
            return
        time.sleep(0.05)


def memory(pids: Iterable[int]) -> int:
    """Bytes of these processes' own."""
    pages = 0
    for pid in pids:
        try:
            _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
        except (OSError, ValueError):
            continue
        pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE")


def disk(folders: Iterable[str]) -> int:
    """Bytes on the disk below folders, those of files with several names once."""
    sizes = {}
    for entry in entries(folders):
        with contextlib.suppress(OSError):  # gone in the meantime
            status = entry.stat(follow_symlinks=False)
            sizes[status.st_dev, status.st_ino] = status.st_blocks * 512
    return sum(sizes.values())


@dataclass(slots=True)
class Meter:
    """Compares what a step uses with what it may."""

    pid: int
    folders: tuple[str, ...]
    allowed: Limits
    _next: float = field(default=0.0)  # when folders are measured again

    def describe_excess(self) -> str:
        """Which limit the step is over; nothing where it keeps within all."""
        pids = descendants(self.pid)
        if len(pids) > self.allowed.processes:
            return too_many(self.allowed)
        if memory(pids) > self.allowed.memory:
            return f"it uses more than {format_size(self.allowed.memory)} of memory"
        began = time.monotonic()
        if self.folders and began >= self._next:
            used = disk(self.folders)
            now = time.monotonic()
            self._next = now + _SHARE * (now - began)
            if used > self.allowed.disk:
                return f"its folder exceeds {format_size(self.allowed.disk)}"
        return ""


def too_many(allowed: Limits) -> str:
    return f"it started more than {allowed.processes} processes"


def format_size(size: int) -> str:
    """Bytes as people read them."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
