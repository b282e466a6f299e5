"""The object cache: compilers wrapped so that a unit with the same preprocessed input is reused.

A wrapper runs inside a build, which may be hostile: what it keeps goes to a folder of the build
(`staging`). porter then moves it into stores that only builds of the same source read, and that no
build can write.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from porter.host.home import WORKERS, porter_home

_CACHED = WORKERS / "cached_compiler.py"
_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Cache:
    """Where a build keeps objects, and where it finds those of earlier builds."""

    staging: Path
    stores: tuple[Path, ...] = ()

    def take_over(self) -> None:
        """Move what was staged into the stores, where it is what a wrapper leaves."""
        for entry in self.staging.glob("*/*"):
            names = {path.name for path in entry.iterdir()} if _is_real(entry) else set()
            files = all(_is_real(entry / name, folder=False) for name in names)
            if self.stores and _KEY.fullmatch(entry.name) and names == {"object", "said"} and files:
                self._move(entry)
        shutil.rmtree(self.staging, ignore_errors=True)

    def _move(self, entry: Path) -> None:
        first, *others = (store / entry.name[:2] / entry.name for store in self.stores)
        with contextlib.suppress(OSError):  # there already, or a full disk
            first.parent.mkdir(parents=True, exist_ok=True)
            entry.rename(first)
        for other in others:
            with contextlib.suppress(OSError):
                shutil.copytree(first, other, copy_function=os.link)


def _is_real(path: Path, folder: bool = True) -> bool:
    mode = path.lstat().st_mode
    return stat.S_ISDIR(mode) if folder else stat.S_ISREG(mode)


def stores(identity: str, roots: Iterable[Path], home: Path | None = None) -> tuple[Path, ...]:
    """The stores of a source: by its name, where it has one, and by its content: that of `roots`,
    all code which a build of it runs."""
    content = hashlib.sha256()
    for root in roots:
        for path in sorted(root.rglob("*")):
            content.update(f"{path.relative_to(root)}\0".encode("utf-8", "surrogateescape"))
            if path.is_symlink():
                content.update(os.fsencode(path.readlink()))
            elif path.is_file() and ".git" not in path.relative_to(root).parts:
                content.update(hashlib.sha256(path.read_bytes()).digest())
    named = hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()
    names = (f"content-{content.hexdigest()[:32]}", *([f"source-{named[:32]}"] if identity else []))
    return tuple((home or porter_home()) / "objects" / name for name in names)


def make_cached_command(compiler: str, prefixes: Iterable[Path], cache: Cache) -> tuple[str, ...]:
    """The command that runs a compiler through the cache.

    `prefixes` are folders whose path must not count: the tree first, then its environment.
    """
    folders = ":".join(str(path) for path in prefixes)
    places = ":".join(str(path) for path in (cache.staging, *cache.stores))
    return (sys.executable, "-I", "-S", str(_CACHED), places, folders, compiler)


def wrappers(folder: Path, prefixes: Iterable[Path], cache: Cache) -> dict[str, str]:
    """Executables in `folder` that stand before the compilers, as environment variables.

    Only for compilers that are there; the names say which one is meant, because frameworks look
    for `g++` or `clang++` in the path of the compiler they are given.
    """
    prefixes = tuple(prefixes)
    chosen = {"CC": os.environ.get("CC", "gcc"), "CXX": os.environ.get("CXX", "g++")}
    if os.environ.get("PYTORCH_NVCC") or shutil.which("nvcc"):
        chosen["PYTORCH_NVCC"] = os.environ.get("PYTORCH_NVCC", "nvcc")
    found: dict[str, str] = {}
    for variable, written in chosen.items():
        words = shlex.split(written)
        real = shutil.which(words[0]) if len(words) == 1 else None  # `ccache g++`: has its own
        if real is not None:
            found[variable] = str(_wrapper(folder / Path(words[0]).name, real, prefixes, cache))
    return found


def _wrapper(path: Path, real: str, prefixes: tuple[Path, ...], cache: Cache) -> Path:
    command = " ".join(shlex.quote(part) for part in make_cached_command(real, prefixes, cache))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)
    return path
