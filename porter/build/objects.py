"""The object cache: compilers wrapped so that a unit with the same preprocessed input is reused."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from porter.home import porter_home

_CACHED = Path(__file__).resolve().parent.parent / "workers" / "cached_compiler.py"


def cached(compiler: str, prefixes: Iterable[Path], home: Path | None = None) -> tuple[str, ...]:
    """The command that runs a compiler through the cache.

    `prefixes` are folders whose path must not count: the tree first, then its environment.
    """
    store = (home or porter_home()) / "objects"
    folders = ":".join(str(path) for path in prefixes)
    return (sys.executable, "-I", "-S", str(_CACHED), str(store), folders, compiler)


def wrappers(folder: Path, prefixes: Iterable[Path], home: Path | None = None) -> dict[str, str]:
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
            found[variable] = str(_wrapper(folder / Path(words[0]).name, real, prefixes, home))
    return found


def _wrapper(path: Path, real: str, prefixes: tuple[Path, ...], home: Path | None) -> Path:
    command = " ".join(shlex.quote(part) for part in cached(real, prefixes, home))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)
    return path
