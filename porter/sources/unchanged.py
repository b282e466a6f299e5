"""Whether a folder is as it was, by what the file system says of its files, none of them read."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

MOST = 100_000  # files; to ask for more takes as long as to read a tree
SETTLED = 2  # seconds; a file may change twice in what a file system takes for one moment
_APART = frozenset(("objects", "modules", "lfs", "logs", "hooks"))  # of `.git`: no file's content


def state(folder: Path) -> str:
    """A digest of name, size, times and inode of each file, which no change leaves as it is.

    Empty where that would not tell: files changed just now or cannot be seen, there are too many,
    or the folder's repository is elsewhere.
    """
    began = time.time_ns()
    git = f"{folder}{os.sep}.git"
    found: list[str] = []
    newest = 0
    folders = [str(folder)]
    try:
        while folders and len(found) <= MOST:
            above = folders.pop()
            with os.scandir(above) as entries:
                for entry in entries:
                    if entry.path == git and not entry.is_dir(follow_symlinks=False):
                        return ""
                    if entry.is_dir(follow_symlinks=False):
                        if above != git or entry.name not in _APART:
                            folders.append(entry.path)
                        continue
                    said = entry.stat(follow_symlinks=False)
                    newest = max(newest, said.st_ctime_ns)
                    numbers = (said.st_size, said.st_mtime_ns, said.st_ctime_ns, said.st_ino)
                    found.append(f"{entry.path}\0{numbers}{said.st_mode}")
    except OSError:
        return ""
    if len(found) > MOST or newest > began - SETTLED * 10**9:
        return ""
    return hashlib.sha256("\n".join(sorted(found)).encode(errors="surrogateescape")).hexdigest()
