"""A folder that build systems take for a CUDA toolkit: our nvcc, headers and runtime."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from porter.emulators.cuda import INCLUDE, RUNTIME
from porter.errors import EnvironmentFailed
from porter.host import locks, process
from porter.model import Step
from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent
READY = "ready"
_NVCC = """#!{python} -I
import sys
from pathlib import Path

sys.path.insert(0, {porter!r})
from porter.emulators.cuda.nvcc import main

library, cccl = Path({library!r}), Path({cccl!r}) if {cccl!r} else None
sys.exit(main(sys.argv[1:], library, cccl, sys.stdout.write, sys.stderr.write))
"""


def toolkit(
    home: Path, framework: str, half: StandIn, root: Path, cccl: Path | None, *, arch: int = 80
) -> Path:
    """The toolkit for the CPU build of a framework whose package is the folder `root`, made where
    it is not there yet; `half` is what stands in for the framework's CUDA half.

    Raises EnvironmentFailed where g++ cannot make it.
    """
    # It has links to porter's own files, and runs porter: of another place it is another one.
    said = [framework, str(root), str(cccl), str(arch), sys.executable, str(HERE)]
    parts = sorted(path for path in HERE.rglob("*") if path.suffix in (".h", ".cpp", ".py", ".cuh"))
    text = b"".join(path.read_bytes() for path in (*parts, *half.parts()))
    key = hashlib.sha256("\n".join(said).encode() + text).hexdigest()[:12]
    folder = home / "emulated" / f"{framework}-{key}"
    with locks.locked(folder):
        if not (folder / READY).exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, half, root, cccl, arch)
            (folder / READY).touch()
    return folder


def _make(folder: Path, half: StandIn, root: Path, cccl: Path | None, arch: int) -> None:
    library = folder / "lib64" / "libcudart.so"
    for each in ("bin", "lib64"):
        (folder / each).mkdir(parents=True)
    (folder / "include").symlink_to(INCLUDE)
    (folder / "lib").symlink_to("lib64")
    nvcc = folder / "bin" / "nvcc"
    nvcc.write_text(
        _NVCC.format(
            python=sys.executable,
            porter=str(HERE.parents[2]),
            cccl=str(cccl or ""),
            library=str(library),
        )
    )
    nvcc.chmod(0o755)
    names = ("-Wl,-soname,libcudart.so", "-ldl", "-lpthread")
    sources = [str(path) for path in sorted(RUNTIME.glob("*.cpp"))]
    hidden = ("-fvisibility=hidden", f"-DEMULATED_ARCH={arch}")
    compile_library(
        folder, "CUDA runtime", ("-std=c++17", "-O2", *hidden, *sources, *names), library
    )
    compile_half(folder, "CUDA half", half, root, (f"-I{INCLUDE}", "-lcudart"))


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
