"""Compiles the shim against the installed Paddle, once for each version, in a cache folder."""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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


def cache() -> Path:
    """The folder that compiled libraries are kept in."""
    if named := os.environ.get("PORTER_COMPAT_CACHE"):
        return Path(named).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "porter_compat"


def _said(command: list[str]) -> str:
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0]


def _key(command: list[str]) -> str:
    """What the compiled libraries depend on, in a few letters."""
    import paddle

    seen = hashlib.sha256()
    parts = [paddle.__version__, str(getattr(paddle.version, "commit", "")), paddle.__file__]
    parts += [sysconfig.get_config_var("SOABI") or "", _said(command), *FLAGS]
    seen.update("\0".join(parts).encode())
    for path in sorted(SOURCES.iterdir()):
        seen.update(path.name.encode() + path.read_bytes())
    return f"paddle-{paddle.__version__}-{seen.hexdigest()[:16]}"


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


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time; the lock goes with the process that holds it."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def whole(folder: Path) -> Iterator[Path]:
    """A folder to fill, which then becomes `folder`: whole, or not at all, and once."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        made.chmod(0o755)
        yield made
        made.rename(folder)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):  # another process was faster
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _kept(base: Path, key: str, command: list[str]) -> Path:
    """The libraries in the cache folder, made there by one process if they are not."""
    folder = base / key
    if folder.is_dir():
        return folder
    base.mkdir(parents=True, exist_ok=True)
    with _alone(base / f"{key}.lock"):
        if not folder.is_dir():
            with whole(folder) as made:
                _compile(made, command)
    return folder


@functools.cache
def folder() -> Path:
    """The folder that compiled libraries are kept in: the cache, or one of this process alone."""
    base = cache()
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=base):
            return base
    except OSError as error:
        warnings.warn(
            f"porter_compat cannot keep compiled libraries in {base} ({error}): they are compiled"
            " for this process alone. Name a folder in PORTER_COMPAT_CACHE.",
            stacklevel=2,
        )
        made = Path(tempfile.mkdtemp(prefix="porter-compat-"))
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        return made


def libraries() -> Path:
    """The folder with the shim's libraries for the installed Paddle, which is made if need be."""
    if not sys.platform.startswith("linux"):
        raise CannotBuild(f"the shim of torch's stable ABI is for Linux, not {sys.platform}")
    made = cache() / _key(command := compiler())
    return made if made.is_dir() else _kept(folder(), made.name, command)
