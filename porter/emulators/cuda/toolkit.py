"""A folder that build systems take for a CUDA toolkit: our nvcc, headers and runtime."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from porter.emulators.cuda import ARCH, INCLUDE
from porter.errors import EnvironmentFailed
from porter.host import locks, process
from porter.model import Step
from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent
READY = "ready"
PLACES = {"python": sys.executable, "porter": str(HERE.parents[2])}
_NVCC = """#!{python} -I
import sys
from pathlib import Path

sys.path.insert(0, {porter!r})
from porter.emulators.cuda.nvcc import main

library, cccl = Path({library!r}), Path({cccl!r}) if {cccl!r} else None
sys.exit(main(sys.argv[1:], library, cccl, sys.stdout.write, sys.stderr.write))
"""


def toolkit(home: Path, framework: str, half: StandIn, root: Path, cccl: Path | None) -> Path:
    """The toolkit for the CPU build of a framework whose package is the folder `root`, made where
    it is not there yet; `half` is what stands in for the framework's CUDA half.

    Raises EnvironmentFailed where g++ cannot make it.
    """

    def make(folder: Path) -> None:
        runtime(folder)
        (folder / "include").symlink_to(INCLUDE)
        (folder / "lib").symlink_to("lib64")
        library = str(folder / "lib64" / "libcudart.so")
        program(folder, "nvcc", _NVCC.format(**PLACES, cccl=str(cccl or ""), library=library))
        compile_half(folder, "CUDA half", half, root, (f"-I{INCLUDE}", "-lcudart"))

    return find_or_make(home, framework, HERE, (root, cccl, ARCH), half, make)


def find_or_make(
    home: Path,
    name: str,
    sources: Path,
    of: Iterable[object],
    half: StandIn | None,
    make: Callable[[Path], None],
) -> Path:
    """The folder of a toolkit that `make` makes of `sources`, a framework's half and what it is
    `of`, where it is not there yet."""
    # Its libraries and programs name where they lie, for all homes that have a link to it.
    place = (home / "emulated").resolve()
    # It has links to porter's own files, and runs porter: of another place it is another one.
    said = "\n".join(map(str, (*of, sys.executable, sources, place)))
    parts = sorted(p for p in sources.rglob("*") if p.suffix in (".h", ".cpp", ".py", ".cuh"))
    text = b"".join(path.read_bytes() for path in (*parts, *(half.parts() if half else ())))
    key = hashlib.sha256(said.encode() + text).hexdigest()[:12]
    folder = place / f"{name}-{key}"
    with locks.lock(folder):
        if not (folder / READY).exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            (folder / READY).touch()
    return folder


def program(folder: Path, name: str, text: str) -> None:
    """A program of a toolkit."""
    path = folder / "bin" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def runtime(folder: Path) -> None:
    """The emulated CUDA runtime, below a toolkit's `lib64`.

    Raises EnvironmentFailed where g++ cannot make it.
    """
    library = folder / "lib64" / "libcudart.so"
    library.parent.mkdir(parents=True)
    sources = [str(path) for path in sorted((HERE / "runtime").glob("*.cpp"))]
    own = ("-std=c++17", "-O2", "-fvisibility=hidden", f"-DEMULATED_ARCH={ARCH}")
    names = ("-Wl,-soname,libcudart.so", "-ldl", "-lpthread")
    compile_library(folder, "CUDA runtime", (*own, *sources, *names), library)


def compile_half(
    folder: Path, name: str, half: StandIn, root: Path, flags: tuple[str, ...]
) -> None:
    """A framework's half of a device, with `flags` of the device, below a toolkit's `lib64`.

    Raises EnvironmentFailed where g++ cannot make it.
    """
    if half.prepare is not None:
        half.prepare(folder, root)
    libraries = folder / "lib64"
    main, *others = (libraries / library for library in half.libraries)
    main.parent.mkdir(exist_ok=True)
    own = ("-O1", "-g1", *half.flags(root), *map(str, half.sources))
    paths = (f"-L{libraries}", f"-Wl,-rpath,{libraries}", f"-Wl,-soname,{main.name}")
    compile_library(folder, name, (*own, *paths, *flags, *half.linked(root)), main)
    for other in others:
        other.symlink_to(main.name)


def compile_library(folder: Path, name: str, flags: tuple[str, ...], library: Path) -> None:
    """A shared library of an emulation; raises EnvironmentFailed where g++ cannot make it."""
    argv = ("g++", "-fPIC", "-shared", *flags, "-o", str(library))
    result = process.run(
        Step(name=f"emulated {name}", argv=argv, cwd=str(folder), foreign=False),
        folder / f"{library.stem}.log",
    )
    if not result.ok:
        raise EnvironmentFailed(
            f"the emulated {name} does not compile: {result.tail.strip()[-300:]}",
            hint=f"see {result.log}; the emulation needs g++ 10 or newer",
        )
