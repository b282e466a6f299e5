"""A kernel file as a library, and launches of its kernels from Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from porter.emulated.ascend.kernels import emulate
from tests.ascend_production.case import Array, Case

# Each argument is where its value lies; the kernel's own type says how it is read.
_LAUNCH = """
#include <utility>
template <class... A, size_t... I>
static void porter_go(const char *name, void (*kernel)(A...), uint32_t blocks, void **p, std::index_sequence<I...>) {
    ::emulated::prepare(::emulated::Place{name, "tests", 1}, [=](auto &...a) { kernel(a...); }, blocks, nullptr,
                        nullptr)(*reinterpret_cast<A *>(p[I])...);
}
template <class... A> static void porter_go(const char *name, void (*kernel)(A...), uint32_t blocks, void **p) {
    porter_go(name, kernel, blocks, p, std::index_sequence_for<A...>());
}
"""


class KernelFault(Exception):
    """The emulated NPU found fault with a launch."""


def compiled(source: Path, kernels: Sequence[str], out: Path, toolkit: Path) -> Path:
    """A library that has `launch_<kernel>` for each; raises CalledProcessError."""
    made = emulate([source], [source.parent, source.parent.parent], out)
    unit, library = out / "unit.cpp", out / "kernels.so"
    lines = [f'#include "{made.sources[0]}"', _LAUNCH]
    for name in kernels:
        launch = f'porter_go("{name}", {name}, blocks, p)'
        lines.append(f'extern "C" void launch_{name}(uint32_t blocks, void **p) {{ {launch}; }}')
    unit.write_text("\n".join([*lines, ""]))
    linked = [f"-L{toolkit / 'lib64'}", "-lascendcl", f"-Wl,-rpath,{toolkit / 'lib64'}"]
    command = ["g++", "-O1", "-w", "-shared", *made.flags, str(unit), "-o", str(library), *linked]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return library


class Device:
    """Memory and launches of the emulated runtime in this process."""

    def __init__(self, library: Path, toolkit: Path) -> None:
        self._runtime = ctypes.CDLL(str(toolkit / "lib64" / "libascendcl.so"), ctypes.RTLD_GLOBAL)
        self._library = ctypes.CDLL(str(library))

    def run(self, case: Case) -> list[Array | np.generic]:
        """Its arguments after the launch; raises KernelFault."""
        addresses = [self._memory(a) if isinstance(a, np.ndarray) else None for a in case.arguments]
        values = [
            ctypes.c_uint64(address) if address is not None else _number(given)
            for given, address in zip(case.arguments, addresses, strict=True)
        ]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        getattr(self._library, f"launch_{case.kernel}")(ctypes.c_uint32(case.blocks), pointers)
        code = self._runtime.aclrtSynchronizeStream(None)
        result = [
            given if address is None else self._read(address, given)
            for given, address in zip(case.arguments, addresses, strict=True)
        ]
        for address in addresses:
            if address is not None:
                code = self._runtime.aclrtFree(ctypes.c_void_p(address)) or code
        if code:
            self._runtime.aclrtResetDevice(0)
            raise KernelFault(str(code))
        return result

    def _memory(self, array: Array) -> int:
        pointer = ctypes.c_void_p()
        size = max(array.nbytes, 1)
        if self._runtime.aclrtMalloc(ctypes.byref(pointer), ctypes.c_size_t(size), 0):
            raise KernelFault("no memory")
        assert pointer.value is not None
        ctypes.memmove(pointer.value, np.ascontiguousarray(array).ctypes.data, array.nbytes)
        return pointer.value

    def _read(self, address: int, like: Array | np.generic) -> Array:
        made = np.empty(like.shape, like.dtype)
        ctypes.memmove(made.ctypes.data, address, made.nbytes)
        return made


def _number(value: Array | np.generic) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(value.tobytes(), 16)
