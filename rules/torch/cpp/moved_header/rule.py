"""Includes of headers that torch moved from c10 to c10/core or c10/util, and from ATen to c10."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts

_CORE = "Backend Device DeviceGuard DeviceType DispatchKey Layout Scalar Stream TensorOptions"
_UTIL = "ArrayRef C++17 Half SmallVector intrusive_ptr"
# torch 2.13 has none of the first and all of the second, in its wheel's include folder. At the
# old paths were the same declarations, or an include of the new ones.
_MOVED = {f"{name}.h": f"c10/core/{name}.h" for name in _CORE.split()}
_MOVED |= {f"{name}.h": f"c10/util/{name}.h" for name in _UTIL.split()}
_STILL_THERE = (
    {"ATen/core/Scalar.h", "ATen/Scalar.h"}
    | {f"ATen/{name}.h" for name in ("ArrayRef", "Backend", "Device", "DeviceGuard", "Layout")}
    | {"ATen/SmallVector.h", "ATen/TensorOptions.h"}
)
HEADERS = {
    f"{folder}/{name}": new
    for name, new in _MOVED.items()
    for folder in ("c10", "ATen/core", "ATen")
    if f"{folder}/{name}" not in _STILL_THERE
} | {
    "ATen/CPUGenerator.h": "ATen/CPUGeneratorImpl.h",
    "ATen/CUDAGeneratorImpl.h": "ATen/cuda/CUDAGeneratorImpl.h",
    "ATen/Check.h": "c10/util/Exception.h",
    "ATen/Error.h": "c10/util/Exception.h",
    "ATen/core/Error.h": "c10/util/Exception.h",
    "ATen/core/optional.h": "c10/util/Optional.h",
    "ATen/cuda/CUDAGuard.h": "c10/cuda/CUDAGuard.h",
    "ATen/cuda/CUDAStream.h": "c10/cuda/CUDAStream.h",
    "ATen/optional.h": "c10/util/Optional.h",
    "c10/StreamType.h": "c10/core/Stream.h",
}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    for header, token in unit.includes:
        new = HEADERS.get(header)
        if new is not None:
            text = unit.encode(f"{token.text[0]}{new}{token.text[-1]}")
            yield Match(token.span, (Edit(token.span, text),), name=header)
