"""Order versions by their numbers."""

from __future__ import annotations


def order(version: str) -> tuple[int, ...]:
    """Return the numbers of a version; pre-release and local parts do not matter here."""
    parts = version.partition("+")[0].split(".")
    return tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in parts)
