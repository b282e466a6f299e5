"""Releases compared as numbers, without a heavy import."""

from __future__ import annotations

import re
from pathlib import Path

_RELEASE = re.compile(r"v?(\d+(?:\.\d+)*)(?:[.\-_]?(?:a|b|rc|dev|post)\d*)*(?:\+[\w.]+)?\Z")


def release(version: str) -> tuple[int, ...] | None:
    """The numbers of a version, at least three of them; None for what is no version."""
    found = _RELEASE.match(version.strip())
    if not found:
        return None
    numbers = tuple(int(part) for part in found[1].split("."))
    return numbers + (0,) * (3 - len(numbers))


def shipped_versions(pack: str, home: Path) -> tuple[str, ...]:
    """Versions of which a pack in the folder `home` has a surface, oldest first."""
    names = (path.stem for path in (home / pack / "surfaces").glob("*.json"))
    return tuple(sorted((n for n in names if release(n)), key=lambda n: release(n) or ()))
