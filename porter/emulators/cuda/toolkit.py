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

HERE = Path(__file__).resolve().parent
PADDLE = HERE / "paddle"
READY = "ready"
# Libraries of a framework's CUDA build, all of which are one here: what extensions link with.
FRAMEWORKS = {
    "torch": ("libtorch_cuda.so", "libc10_cuda.so"),
    "paddle": ("device/libemulated.so",),  # Paddle loads every library of its folder
}
_NVCC = """#!{python} -I
import sys
from pathlib import Path

sys.path.insert(0, {porter!r})
from porter.emulated.nvcc import main

library, cccl = Path({library!r}), Path({cccl!r}) if {cccl!r} else None
sys.exit(main(sys.argv[1:], library, cccl, sys.stdout.write, sys.stderr.write))
"""


def toolkit(home: Path, framework: str, root: Path, cccl: Path | None, *, arch: int = 80) -> Path:
    """The toolkit for the CPU build of a framework whose package is the folder `root`, made where
    it is not there yet.

    Raises EnvironmentFailed where g++ cannot make it.
    """
    # It has links to porter's own files, and runs porter: of another place it is another one.
    said = [framework, str(root), str(cccl), str(arch), sys.executable, str(HERE)]
    parts = sorted(path for path in HERE.rglob("*") if path.suffix in (".h", ".cpp", ".py", ".cuh"))
    text = b"".join(path.read_bytes() for path in parts)
    key = hashlib.sha256("\n".join(said).encode() + text).hexdigest()[:12]
    folder = home / "emulated" / f"{framework}-{key}"
    with locks.locked(folder):
        if not (folder / READY).exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, framework, root, cccl, arch)
            (folder / READY).touch()
    return folder


def _make(folder: Path, framework: str, root: Path, cccl: Path | None, arch: int) -> None:
    library = folder / "lib64" / "libcudart.so"
    for each in ("bin", "lib64/device"):
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
    if framework == "paddle":
        _paddle_headers(folder / "paddle", root / "include")
    main, *others = (folder / "lib64" / name for name in FRAMEWORKS[framework])
    compile_library(
        folder, f"CUDA {framework}", _framework(framework, root, library, main.name), main
    )
    for other in others:
        other.symlink_to(main.name)


# In a CPU build the libraries know no CUDA and no nvcc: their headers are not to, either.
_UNSEEN = {"PADDLE_WITH_CUDA": "PADDLE_LIBRARY_WITH_CUDA", "__NVCC__": "PADDLE_LIBRARY_WITH_NVCC"}
_COMPAT = "paddle/phi/api/include/compat"
# But for the conversions from and to CUDA's own types of numbers, and pybind11's of at::Tensor.
_SEEN = ("phi/common/complex", "phi/common/float16", "phi/common/bfloat16", "utils/pybind")
_FP8 = ("defined(__CUDACC__) && CUDA_VERSION >= 11080", "0")  # is not emulated
# In which header of Paddle's -> what stands there, and what is to.
_CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    "paddle/phi/common/float8_e4m3fn.h": (_FP8,),
    "paddle/phi/common/float8_e5m2.h": (_FP8,),
    f"{_COMPAT}/c10/core/Device.h": (
        (
            "#include <c10/core/DeviceType.h>",
            '#include <c10/core/DeviceType.h>\n#include "emulated/place.h"',
        ),
        (
            "Device(phi::Place place) : inner_(place)",
            "Device(phi::Place place) : inner_(emulated::seen(place))",
        ),
        (
            "_PD_GetInner() const { return inner_; }",
            "_PD_GetInner() const { return emulated::held(inner_); }",
        ),
    ),
    f"{_COMPAT}/ATen/core/TensorBase.h": (
        ("phi::is_gpu_place(tensor_.place())", "device().is_cuda()"),
    ),
    f"{_COMPAT}/ATen/core/TensorBody.h": (
        ("phi::is_gpu_place(tensor_.place())", "device().is_cuda()"),
    ),
    "paddle/phi/backends/context_pool.h": (
        (
            "  PADDLE_API phi::DeviceContext* Get(const phi::Place& place);",
            "  PADDLE_API phi::DeviceContext* Get(const phi::Place& place);\n"
            "  phi::DeviceContext* Get(const phi::GPUPlace& p) { return Get(emulated::held(p)); }",
        ),
        ("#pragma once", '#pragma once\n#include "emulated/place.h"'),
    ),
    "paddle/phi/core/generator.h": (
        (
            "PADDLE_API const std::shared_ptr<Generator>& DefaultCUDAGenerator(\n"
            "    int64_t device_id = -1);",
            "PADDLE_API const std::shared_ptr<Generator>& DefaultCustomDeviceGenerator(\n"
            "    const phi::CustomPlace& place);\n"
            # static: the library's own of this name knows no such device
            "static inline const std::shared_ptr<Generator>& DefaultCUDAGenerator(int64_t = -1) {\n"
            '  return DefaultCustomDeviceGenerator(phi::CustomPlace("emulated", 0));\n'
            "}",
        ),
    ),
    "paddle/phi/core/memory/malloc.h": (
        (
            "PADDLE_API extern bool InSameStream(",
            "inline std::shared_ptr<Allocation> AllocShared(\n"
            "    const phi::GPUPlace& place, size_t size, const phi::Stream&) {\n"
            "  return AllocShared(emulated::held(place), size);\n"
            "}\n"
            "PADDLE_API extern bool InSameStream(",
        ),
        ("#pragma once", '#pragma once\n#include "emulated/place.h"'),
    ),
    "paddle/phi/core/memory/allocation/allocator_facade.h": (
        (
            "  PADDLE_API static AllocatorFacade& Instance();",
            "  PADDLE_API static AllocatorFacade& Instance();\n"
            "  const std::shared_ptr<Allocator>& GetAllocator(const phi::GPUPlace& p, void*) {\n"
            "    return GetAllocator(emulated::held(p));\n"
            "  }",
        ),
        ("#pragma once", '#pragma once\n#include "emulated/place.h"'),
    ),
}


def _paddle_headers(folder: Path, installed: Path) -> None:
    """Paddle's headers as they are, but for CUDA's place, and libraries that have no CUDA."""
    for path in sorted(installed.rglob("*")):
        name = path.relative_to(installed).as_posix()
        if name.startswith("third_party/") or not path.is_file():
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        new = text
        if not name.startswith((_COMPAT, *(f"paddle/{seen}.h" for seen in _SEEN))):
            for word, other in _UNSEEN.items():
                new = new.replace(word, other)
        for old, replacement in _CHANGES.get(name, ()):
            if old not in new:
                raise EnvironmentFailed(
                    f"{path} is not as the emulation knows it: no `{old}`",
                    hint="CUDA is emulated for Paddle 3.3 so far",
                )
            new = new.replace(old, replacement)
        if new == text:
            target.symlink_to(path)
        else:
            target.write_text(new, encoding="utf-8", errors="surrogateescape")
    (folder / "third_party").symlink_to(installed / "third_party")
    # With CUDA's headers: extensions for the CPU are not given a toolkit's.
    own = HERE / "paddle" / "include"
    cuda = (*INCLUDE.glob("*.h"), *(INCLUDE / "emulated").glob("*.h"))
    for path, root in [(p, own) for p in own.rglob("*.h")] + [(p, INCLUDE) for p in cuda]:
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.symlink_to(path)


def _framework(framework: str, root: Path, library: Path, name: str) -> tuple[str, ...]:
    """How the stand-in for the CUDA half of a framework is compiled against its CPU build."""
    include, libraries = root / "include", root / ("lib" if framework == "torch" else "libs")
    if framework == "torch":
        flags = ["-std=c++20", "-DUSE_CUDA", f"-isystem{include}"]
        flags += [f"-isystem{include}/torch/csrc/api/include"]
        linked = ["-ltorch_cpu", "-lc10"]
    else:
        flags = [*custom_device(root)]
        linked = [*linked_with_paddle(root)]
    sources = sorted(str(path) for path in (HERE / framework).glob("*.cpp"))
    paths = (f"-Wl,-rpath,{library.parent}", f"-Wl,-rpath,{libraries}", f"-Wl,-soname,{name}")
    linked = [f"-L{library.parent}", "-lcudart", f"-L{libraries}", *linked, *paths]
    return ("-O1", "-g1", *flags, f"-I{INCLUDE}", *sources, *linked)


def custom_device(root: Path) -> tuple[str, ...]:
    """Flags for the sources of a custom device of the Paddle whose package is the folder `root`."""
    include = root / "include"
    defines = ("-DPADDLE_WITH_CUSTOM_KERNEL", "-DPADDLE_WITH_CUSTOM_DEVICE")
    return ("-std=c++17", *defines, f"-isystem{include}", f"-isystem{include}/third_party")


def linked_with_paddle(root: Path) -> tuple[str, ...]:
    """And what it is linked with."""
    folder = root / "libs"
    names = ("-l:libphi_core.so", "-l:libphi.so", "-l:libcommon.so")
    return (f"-L{folder}", *names, f"-Wl,-rpath,{folder}")


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
