"""Precompiled headers: which framework headers the units share, made once and kept."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.host import process
from porter.model import Step

_FEWEST = 2  # units that share one
_WORTH = 3  # checks that make one worth its time: as many as making it takes
_LIGHTEST = 1_000_000  # bytes of headers below which it gains nothing
_KEPT = 4  # they have 200 MB each
_SETS = 60  # distinct sets of headers that are compared with one another


@dataclass(frozen=True, slots=True)
class Made:
    """A precompiled header; `log` are the warnings in it, which no use of it repeats."""

    header: Path
    log: str


def shared(
    reached: Mapping[int, tuple[str, ...]], weight: Callable[[Iterable[str]], int]
) -> dict[int, tuple[str, ...]]:
    """The headers to precompile for each unit, where that is worth it.

    A unit is only ever given headers that it includes itself: a header forced upon it would
    hide that it lacks one.
    """
    chosen: dict[int, tuple[str, ...]] = {}
    left = dict(reached)
    while len(left) >= _FEWEST:
        best: tuple[int, tuple[str, ...], list[int]] | None = None
        for candidate in _candidates(left.values()):
            units = [number for number, own in left.items() if set(candidate) <= set(own)]
            size = weight(candidate)
            if len(units) >= _FEWEST and size >= _LIGHTEST:
                gain = size * (len(units) - 1)
                if best is None or gain > best[0]:
                    best = gain, candidate, units
        if best is None:
            break
        for number in best[2]:
            chosen[number] = best[1]
            del left[number]
    return chosen


def _candidates(sets: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Distinct sets of headers and what two of them have in common, each in its own order."""
    own = list(dict.fromkeys(s for s in sets if s))[:_SETS]
    common = (tuple(h for h in a if h in set(b)) for a in own for b in own)
    unique: dict[frozenset[str], tuple[str, ...]] = {}
    for candidate in (*own, *common):
        if candidate:
            unique.setdefault(frozenset(candidate), candidate)
    return list(unique.values())


def make(
    headers: Sequence[str], argv: Sequence[str], home: Path, uses: int, cwd: Path, timeout: float
) -> Made | None:
    """Precompile headers with a compiler and its options into `home`, unless that was done.

    None as long as it was asked for fewer times than it takes to gain by it (`uses` are those of
    this time), or where the headers do not compile. Raises EnvironmentFailed without a compiler.
    """
    header, log, done = home / "all.h", home / "pch.log", home / "done"
    home.mkdir(parents=True, exist_ok=True)
    os.utime(home)
    if not done.is_file():
        asked = uses + _count(home / "asked")
        (home / "asked").write_text(str(asked))
        if asked < _WORTH:
            return None
        header.write_text("".join(f"#include <{name}>\n" for name in headers))
        made = Path(f"{header}.gch")
        command = (*argv, "-x", "c++-header", str(header), "-o", str(made))
        step = Step(
            name="precompiled header",
            argv=command,
            cwd=str(cwd),
            environment={"LC_ALL": "C.UTF-8"},
            timeout=timeout,
            writable=(str(home),),
        )
        result = process.run(step, log)
        if not result.ok:
            made.unlink(missing_ok=True)
        done.write_text("ok" if result.ok else "failed")
    if done.read_text() != "ok":
        return None
    return Made(header, log.read_text(errors="replace"))


def _count(path: Path) -> int:
    return int(path.read_text()) if path.is_file() else 0


def key_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def forget(folder: Path) -> None:
    """Remove all but those used last."""
    if folder.is_dir():
        newest = sorted(folder.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in newest[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
