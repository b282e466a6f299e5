"""How test modules are compiled for each framework: flags, precompiled header, runner."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = 4  # precompiled headers of each framework; one takes up to half a gigabyte
SECONDS = 900  # for one compilation
LATE = f"error: not done in {SECONDS} seconds"
IN_USE = 3600  # seconds for which another process may want one
_ASKED = """
import importlib.util, json, sysconfig
home = importlib.util.find_spec("{}").submodule_search_locations[0]
print(json.dumps([sysconfig.get_paths()["include"], home]))
"""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How modules are built for a framework: `flags` compile, `link` links; `key` is of both."""

    framework: str
    python: Path
    home: Path
    flags: tuple[str, ...]
    link: tuple[str, ...]
    runner_flags: tuple[str, ...]
    libraries: tuple[Path, ...]
    cache: Path
    precompile: bool = True


def asked(python: Path, framework: str) -> tuple[Path, Path]:
    """Where Python's headers and the framework are."""
    done = subprocess.run(
        [python, "-c", _ASKED.format(framework)], capture_output=True, text=True, check=True
    )
    include, home = json.loads(done.stdout)
    return Path(include), Path(home)


def torch(python: Path, cache: Path) -> Toolchain:
    """The toolchain of torch."""
    include, home = asked(python, "torch")
    common = ("-std=c++20", f"-I{home}/include", f"-I{home}/include/torch/csrc/api/include")
    lib = home / "lib"
    names = ("torch_cpu", "torch", "c10", "torch_python")
    link = (f"-L{lib}", f"-Wl,-rpath,{lib}", *(f"-l{name}" for name in names))
    flags = (*common, f"-I{include}")
    libraries = tuple(lib / f"lib{name}.so" for name in names)
    return Toolchain("torch", python, home, flags, link, flags, libraries, cache)


def paddle(python: Path, overlay: Path, caster: Path, cache: Path, precompile: bool) -> Toolchain:
    """The toolchain of Paddle, with the merged headers of all pieces, and of the caster only."""
    include, home = asked(python, "paddle")
    compat = f"{home}/include/paddle/phi/api/include/compat"
    below = (f"{home}/include", f"{home}/include/third_party", compat)
    folders = (*below, f"{compat}/torch/csrc/api/include", str(include))
    common = tuple(f"-I{folder}" for folder in folders)
    defined = ("-std=c++17", "-DPORTER_TEST_PADDLE", "-DPADDLE_WITH_CUSTOM_KERNEL")
    libraries = (home / "base/libpaddle.so", *sorted((home / "libs").glob("lib[pc][ho]*.so")))
    link = tuple(str(path) for path in libraries)
    rpath = tuple(f"-Wl,-rpath,{folder}" for folder in (home / "base", home / "libs"))
    link = ("-Wl,--no-as-needed", *link, *rpath)
    flags = (*defined, f"-I{overlay}", *common)
    runner = (*defined, f"-I{caster}", *common)
    return Toolchain("paddle", python, home, flags, link, runner, libraries, cache, precompile)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Only one process at a time is inside."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:20]


def compiler(tools: Toolchain, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = ["g++", "-O0", "-w", "-fPIC", "-fdiagnostics-color=never", "-fmax-errors=0"]
    command += [*tools.flags, *(str(argument) for argument in arguments)]
    return _run(command)


def _run(command: list[object]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", LATE)


def header_error(tools: Toolchain) -> str:
    """What the compiler says of the headers, or nothing."""
    told = tools.cache / "headers" / f"{_header_key(tools)}.told"
    if not told.is_file():
        told.parent.mkdir(parents=True, exist_ok=True)
        done = compiler(tools, "-fsyntax-only", "-x", "c++", HERE / "harness.h")
        told.write_text(done.stderr if done.returncode else "")
    return told.read_text()


def _header_key(tools: Toolchain) -> str:
    own = [(HERE / name).read_text() for name in ("harness.h", "result.h")]
    return f"{tools.framework}-{digest(tools.flags, own)}"


@functools.cache
def header(tools: Toolchain) -> Path:
    """The harness header, beside its precompiled form if the toolchain wants one.

    Raises RuntimeError with the compiler's errors.
    """
    folder = tools.cache / "headers" / _header_key(tools)
    made = folder / "harness.h"
    precompiled = folder / "harness.h.gch"
    with locked(folder.with_suffix(".lock")):
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("harness.h", "result.h"):
            shutil.copy(HERE / name, folder / name)
        if tools.precompile and not precompiled.is_file():
            part = folder / "new.gch"
            done = compiler(tools, "-x", "c++-header", made, "-o", part)
            if done.returncode:
                raise RuntimeError(done.stderr)
            part.rename(precompiled)
        os.utime(folder)
    _forget_old(folder)
    return made


def _forget_old(new: Path) -> None:
    framework = new.name.split("-")[0]
    others = [path for path in new.parent.glob(f"{framework}-*/") if path != new]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT]:
        if time.time() - path.stat().st_mtime > IN_USE:
            shutil.rmtree(path, ignore_errors=True)


def runner(tools: Toolchain) -> Path:
    """The Python module that calls cases. Raises RuntimeError with the compiler's errors."""
    texts = [(HERE / name).read_text() for name in ("runner.cpp", "result.h")]
    made = tools.cache / "runners" / f"{tools.framework}-{digest(tools.runner_flags, texts)}.so"
    with locked(made.with_suffix(".lock")):
        if not made.is_file():
            part = made.with_suffix(".part")
            command = ["g++", "-O0", "-w", "-fPIC", "-shared", *tools.runner_flags]
            command += [HERE / "runner.cpp", "-o", part, *tools.link]
            done = _run(command)
            if done.returncode:
                raise RuntimeError(done.stderr)
            part.rename(made)
    return made
