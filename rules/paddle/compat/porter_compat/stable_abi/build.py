"""Compiles the shim against the installed Paddle, once for each version, in a cache folder."""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import cache

SOURCES = Path(__file__).parent / "csrc"
CORE = "libtorch_cpu.so"
# Libraries that wheels are linked with, and in which the shim has nothing: all is in the core.
OTHERS = ("libtorch.so", "libc10.so", "libtorch_cuda.so", "libc10_cuda.so", "libtorch_python.so")
FLAGS = ("-std=c++17", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-w")


class CannotBuild(RuntimeError):
    """The shim cannot be compiled here; the message says why, and what helps."""


def compiler() -> list[str]:
    """The command of the C++ compiler: $CXX, or g++."""
    command = shlex.split(os.environ.get("CXX", "")) or ["g++"]
    if shutil.which(command[0]) is None:
        raise CannotBuild(
            f"{command[0]} was not found: official wheels on torch's stable ABI need a C++ compiler"
            " once, to make the libraries that they are linked with. Install g++, or name a"
            " compiler in CXX."
        )
    return command


def _said(command: list[str]) -> str:
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0]


def _key(command: list[str]) -> str:
    """What the compiled libraries depend on beside the package and Paddle, in a few letters."""
    seen = "\0".join([*command, _said(command), *FLAGS])
    return hashlib.sha256(seen.encode()).hexdigest()[:12]


def run(command: list[str]) -> None:
    """Run a command of the compiler; CannotBuild with what it said if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-4000:]
        raise CannotBuild(f"the compiler refused a file of the shim: {shlex.join(command)}\n{said}")


def _compile(folder: Path, command: list[str]) -> None:
    """Make all libraries in an empty folder."""
    import paddle

    home = Path(paddle.__file__).parent
    include = [home / "include", home / "include" / "third_party", sysconfig.get_paths()["include"]]
    flags = [*FLAGS, *(f"-I{each}" for each in include)]
    sources = sorted(SOURCES.glob("*.cpp"))
    objects = [folder / f"{each.stem}.o" for each in sources]
    jobs = int(os.environ.get("MAX_JOBS") or os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        steps = [
            [*command, *flags, "-c", str(source), "-o", str(made)]
            for source, made in zip(sources, objects, strict=True)
        ]
        list(pool.map(run, steps))
    paths = [home / "base", home / "libs"]
    places = [flag for path in paths for flag in (f"-L{path}", f"-Wl,-rpath,{path}")]
    libraries = ["-l:libphi.so", "-l:libphi_core.so", "-l:libcommon.so", "-l:libpaddle.so"]
    shared = [*command, "-shared", "-Wl,--no-as-needed"]
    run(
        [
            *shared,
            f"-Wl,-soname,{CORE}",
            "-o",
            str(folder / CORE),
            *map(str, objects),
            *places,
            *libraries,
            "-pthread",
        ]
    )
    for name in OTHERS:
        link = [f"-L{folder}", f"-l:{CORE}", "-Wl,-rpath,$ORIGIN"]
        run([*shared, f"-Wl,-soname,{name}", "-o", str(folder / name), *link])
    for each in objects:
        each.unlink()


@functools.cache
def _temporary() -> Path:
    """A folder of this process alone."""
    made = Path(tempfile.mkdtemp(prefix="porter-compat-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def kept(name: str, write: Callable[[Path], None]) -> Path:
    """A folder of the package's cache; of this process alone, where that cannot be written."""
    try:
        return cache.make(name, write)
    except OSError as error:
        warnings.warn(f"{error}: libraries are compiled for this process alone", stacklevel=2)
        return cache.make(name, write, _temporary())


def libraries() -> Path:
    """The folder with the shim's libraries for the installed Paddle, which is made if need be."""
    if not sys.platform.startswith("linux"):
        raise CannotBuild(f"the shim of torch's stable ABI is for Linux, not {sys.platform}")
    command = compiler()
    return kept(f"stable-abi-{_key(command)}", lambda folder: _compile(folder, command))
