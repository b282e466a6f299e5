"""A kernel file as a library, and launches of its kernels from Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from porter.emulators.npu.kernels import emulate
from porter.emulators.npu.package import build_package
from tests.ascend_production.case import BFLOAT16, Array, Case

# Each argument is where its value lies; the kernel's own type says how it is read.
_LAUNCH = """
#include <utility>
template <class... A, size_t... I>
static void porter_go(const char *name, void (*kernel)(A...), uint32_t blocks, void **p,
                      std::index_sequence<I...>) {
    const auto call = [=](auto &...a) { kernel(a...); };
    const ::emulated::Place place{name, "tests", 1};
    ::emulated::prepare(place, call, blocks, nullptr, nullptr)(*reinterpret_cast<A *>(p[I])...);
}
template <class... A>
static void porter_go(const char *name, void (*kernel)(A...), uint32_t blocks, void **p) {
    porter_go(name, kernel, blocks, p, std::index_sequence_for<A...>());
}
"""

NUMBERS = {"f": ctypes.c_double, "i": ctypes.c_int64, "b": ctypes.c_bool}
# By the public table of data types.
NUMBER_OF = {
    np.dtype(kind): number
    for kind, number in (
        *((np.float32, 0), (np.float16, 1), (np.int8, 2), (np.int32, 3), (np.uint8, 4)),
        *((np.int64, 9), (np.bool_, 12), (BFLOAT16, 27)),
    )
}


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


def packaged(
    source: Path, host: Sequence[str], flags: Sequence[str], out: Path, toolkit: Path
) -> Path:
    """The library of a custom operator package: definitions and tiling functions are compiled,
    too. Raises EnvironmentFailed."""
    own = [source.parent.parent / "op_host" / name for name in host]
    build_package(own, source.parent, out, toolkit, flags)
    return out / "op_api" / "lib" / "libcust_opapi.so"


class Device:
    """Memory and launches of the emulated runtime in this process."""

    def __init__(self, library: Path, toolkit: Path) -> None:
        self._runtime, self._tensors = (
            ctypes.CDLL(str(toolkit / "lib64" / name), ctypes.RTLD_GLOBAL)
            for name in ("libascendcl.so", "libopapi.so")
        )
        self._runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p
        self._tensors.aclCreateTensor.restype = ctypes.c_void_p
        self._library = ctypes.CDLL(str(library))

    def run(self, case: Case) -> list[Array | np.generic | None]:
        """Its arguments after the launch; raises KernelFault."""
        addresses = [self._memory(a) if isinstance(a, np.ndarray) else 0 for a in case.arguments]
        code = (self._launch if case.blocks else self._call)(case, addresses)
        code = code or self._runtime.aclrtSynchronizeStream(None)
        result = [
            self._read(address, given) if isinstance(given, np.ndarray) else given
            for given, address in zip(case.arguments, addresses, strict=True)
        ]
        for address in filter(None, addresses):
            code = self._runtime.aclrtFree(ctypes.c_void_p(address)) or code
        if code:
            said = self._runtime.aclGetRecentErrMsg() or b""
            self._runtime.aclrtResetDevice(0)
            raise KernelFault(f"{code} {said.decode()}")
        return result

    def _launch(self, case: Case, addresses: Sequence[int]) -> int:
        values = [
            ctypes.c_uint64(address)
            if isinstance(given, np.ndarray) or given is None
            else ctypes.create_string_buffer(given.tobytes(), 16)
            for given, address in zip(case.arguments, addresses, strict=True)
        ]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        getattr(self._library, f"launch_{case.kernel}")(ctypes.c_uint32(case.blocks), pointers)
        return 0

    def _call(self, case: Case, addresses: Sequence[int]) -> int:
        """As torch_npu calls an operator: the first function plans, the second launches."""
        given = [
            self._tensor(argument, address)
            if isinstance(argument, np.ndarray)
            else None
            if argument is None
            else NUMBERS[argument.dtype.kind](argument.item())
            for argument, address in zip(case.arguments, addresses, strict=True)
        ]
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        plan = getattr(self._library, f"aclnn{case.kernel}GetWorkspaceSize")
        code: int = plan(*given, ctypes.byref(size), ctypes.byref(executor))
        if code:
            return code
        workspace = self._memory(np.zeros(size.value, np.uint8))
        run = getattr(self._library, f"aclnn{case.kernel}")
        code = run(ctypes.c_void_p(workspace), size, executor, None)
        code = code or self._runtime.aclrtSynchronizeStream(None)
        return self._runtime.aclrtFree(ctypes.c_void_p(workspace)) or code

    def _tensor(self, array: Array, address: int) -> ctypes.c_void_p:
        sizes = (ctypes.c_int64 * array.ndim)(*array.shape)
        count, number = ctypes.c_uint64(array.ndim), NUMBER_OF[array.dtype]
        made = self._tensors.aclCreateTensor(
            *(sizes, count, number, None, ctypes.c_int64(0)),
            *(2, sizes, count, ctypes.c_void_p(address)),
        )
        return ctypes.c_void_p(made)

    def _memory(self, array: Array) -> int:
        pointer = ctypes.c_void_p()
        size = max(array.nbytes, 1)
        if self._runtime.aclrtMalloc(ctypes.byref(pointer), ctypes.c_size_t(size), 0):
            raise KernelFault("no memory")
        assert pointer.value is not None
        ctypes.memmove(pointer.value, np.ascontiguousarray(array).ctypes.data, array.nbytes)
        return pointer.value

    def _read(self, address: int, like: Array) -> Array:
        made = np.empty(like.shape, like.dtype)
        ctypes.memmove(made.ctypes.data, address, made.nbytes)
        return made
