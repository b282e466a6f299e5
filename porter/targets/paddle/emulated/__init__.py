"""Paddle's half of the emulated devices, which are custom devices to Paddle."""

from __future__ import annotations

from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.model import Device
from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent
_OWN = HERE / "include"
_WORKERS = HERE.parent / "workers"

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


def _headers(toolkit: Path, root: Path) -> None:
    """Write Paddle's headers as they are, but for CUDA's place, and libraries that have no CUDA."""
    folder, installed, cuda = toolkit / "paddle", root / "include", (toolkit / "include").resolve()
    for path in sorted(installed.rglob("*")):
        name = path.relative_to(installed).as_posix()
        if name.startswith("third_party/") or not path.is_file():
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        new = _change_header(text, name, path)
        if new == text:
            target.symlink_to(path)
        else:
            target.write_text(new, encoding="utf-8", errors="surrogateescape")
    (folder / "third_party").symlink_to(installed / "third_party")
    # With CUDA's headers: extensions for the CPU are not given a toolkit's.
    given = (*cuda.glob("*.h"), *(cuda / "emulated").glob("*.h"))
    for path, above in [(p, _OWN) for p in _OWN.rglob("*.h")] + [(p, cuda) for p in given]:
        target = folder / path.relative_to(above)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.symlink_to(path)


def _change_header(text: str, name: str, path: Path) -> str:
    """The text of a header for the emulation; raises EnvironmentFailed for one it does not know."""
    if not name.startswith((_COMPAT, *(f"paddle/{seen}.h" for seen in _SEEN))):
        for word, other in _UNSEEN.items():
            text = text.replace(word, other)
    for old, replacement in _CHANGES.get(name, ()):
        if old not in text:
            raise EnvironmentFailed(
                f"{path} does not match the emulation: no `{old}`",
                hint="CUDA is emulated only for Paddle 3.3",
            )
        text = text.replace(old, replacement)
    return text


def _custom_device(root: Path) -> tuple[str, ...]:
    """Flags for the sources of a custom device."""
    include = root / "include"
    defines = ("-DPADDLE_WITH_CUSTOM_KERNEL", "-DPADDLE_WITH_CUSTOM_DEVICE")
    return ("-std=c++17", *defines, f"-isystem{include}", f"-isystem{include}/third_party")


def _link_flags(root: Path) -> tuple[str, ...]:
    folder = root / "libs"
    names = ("-l:libphi_core.so", "-l:libphi.so", "-l:libcommon.so")
    return (f"-L{folder}", *names, f"-Wl,-rpath,{folder}")


# Paddle loads every library of the folder `device`.
STAND_INS = {
    Device.CUDA: StandIn(
        libraries=("device/libemulated.so",),
        sources=(HERE / "cuda_device.cpp",),
        beside=(HERE / "operators.h", HERE / "__init__.py", *sorted(_OWN.rglob("*.h"))),
        flags=_custom_device,
        linked=_link_flags,
        prepare=_headers,
        modules=(_WORKERS / "emulated_paddle.py",),
    ),
    Device.NPU: StandIn(
        libraries=("device/libemulated_npu.so",),
        sources=(HERE / "npu_device.cpp",),
        beside=(HERE / "operators.h",),
        flags=_custom_device,
        linked=_link_flags,
        modules=(_WORKERS / "emulated_paddle_npu.py",),
    ),
}
