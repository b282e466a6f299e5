"""torch's Python side of the emulated CUDA device: what its C++ half lacks in a CPU build.

The names are those of `torch._C` in a CUDA build, so that torch.cuda is torch's own.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .emulated_device import free_and_total, properties
else:  # beside this file, which is no package
    from emulated_device import free_and_total, properties


def actions(toolkit: str) -> dict[str, tuple[Callable[[], None], Callable[[Any], None]]]:
    """What to do before and after the import of modules."""
    runtime = []

    def load() -> None:
        for name in ("libcudart.so", "libtorch_cuda.so"):
            path = os.path.join(toolkit, "lib64", name)
            runtime.append(ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL))

    return {
        "torch": (load, finish),
        "torch._C": (lambda: None, lambda module: fill(module, *runtime)),
    }


def fill(module: Any, runtime: ctypes.CDLL, library: ctypes.CDLL) -> None:
    """The functions and classes of torch._C that only a CUDA build has."""
    library.emulated_current_stream.restype = ctypes.c_void_p
    library.emulated_set_stream.argtypes = [ctypes.c_void_p]
    runtime.cudaGetErrorString.restype = ctypes.c_char_p

    def check(error: int) -> None:
        if error:
            text = runtime.cudaGetErrorString(error).decode(errors="replace")
            runtime.cudaGetLastError()
            raise RuntimeError(f"CUDA error: {text}")

    names = {
        "_has_cuda": True,
        "_cudart": cudart(runtime),
        "_CudaDeviceProperties": SimpleNamespace,
        "_CudaStreamBase": stream_base(module),
        "_CudaEventBase": event_base(module, runtime, check),
        "_CUDAGraph": make_missing_class("CUDA graphs"),
        "_graph_pool_handle": make_missing_class("CUDA graphs"),
        **device_functions(runtime),
        **stream_functions(library),
        **memory_functions(runtime),
        "_cuda_synchronize": lambda: check(runtime.cudaDeviceSynchronize()),
    }
    for name, value in names.items():
        if not hasattr(module, name):
            setattr(module, name, value)
    module._has_cuda = True


def device_functions(runtime: ctypes.CDLL) -> dict[str, Any]:
    """Functions about the one device."""

    def set_device(device: int) -> None:
        if device > 0:
            raise RuntimeError("CUDA error: invalid device ordinal")

    def exchange(device: int) -> int:
        set_device(device)
        return 0 if device >= 0 else -1

    def initialize() -> None:
        import torch

        torch.cuda._get_device_properties = lambda index: properties(runtime)
        # the first one made is the one that operators use
        torch.cuda.default_generators = (torch.Generator("cuda"),)

    return {
        "_cuda_init": initialize,
        "_cuda_isInBadFork": lambda: False,
        "_cuda_getDeviceCount": lambda: 1,
        "_cuda_getDevice": lambda: 0,
        "_cuda_setDevice": set_device,
        "_cuda_exchangeDevice": exchange,
        "_cuda_maybeExchangeDevice": exchange,
        "_cuda_canDeviceAccessPeer": lambda device, peer: False,
        "_cuda_getArchFlags": lambda: "sm_80",
    }


def stream_functions(library: ctypes.CDLL) -> dict[str, Any]:
    """Functions about streams, of which each is its handle, index and type of device."""

    def current(device: int = 0) -> int:
        return library.emulated_current_stream() or 0

    return {
        "_cuda_getCurrentStream": lambda device=0: (current(), 0, 1),
        "_cuda_getDefaultStream": lambda device=0: (0, 0, 1),
        "_cuda_getStreamFromExternal": lambda pointer, device=0: (pointer, 0, 1),
        "_cuda_getCurrentRawStream": current,
        "_cuda_setStream": lambda stream_id, **rest: library.emulated_set_stream(stream_id),
        "_cuda_isCurrentStreamCapturing": lambda: False,
    }


def memory_functions(runtime: ctypes.CDLL) -> dict[str, Any]:
    """Functions about memory, which is that of the host."""
    return {
        "_cuda_emptyCache": lambda *rest: None,
        "_cuda_ipc_collect": lambda: None,
        "_cuda_clearCublasWorkspaces": lambda: None,
        "_cuda_memoryStats": lambda device: memory(runtime),
        "_cuda_resetPeakMemoryStats": lambda device: None,
        "_cuda_resetAccumulatedMemoryStats": lambda device: None,
    }


def make_missing_class(what: str) -> type:
    class Missing:
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError(f"{what}: not emulated")

    return Missing


def finish(torch: Any) -> None:
    torch.version.cuda = "13.0"

    def storage(cls: Any, *args: Any, device: str | None = None, **kwargs: Any) -> Any:
        # a CPU build's own makes none on another device than the CPU
        if args and isinstance(args[0], int) and torch.device(device or "cpu").type == "cuda":
            return torch.empty(args[0], dtype=torch.uint8, device=device).untyped_storage()
        named = {} if device is None else {"device": device}
        return torch._C.StorageBase.__new__(cls, *args, **named, **kwargs)

    torch.UntypedStorage.__new__ = storage


def stream_base(module: Any) -> Any:
    class CudaStreamBase(module.Stream):
        """The id of a stream is its handle."""

        def __new__(
            cls,
            priority: Any = 0,
            stream_id: Any = None,
            device_index: Any = 0,
            device_type: Any = 1,
            stream_ptr: Any = None,
        ) -> Any:
            if stream_ptr is not None:
                stream_id = stream_ptr
            if stream_id is None:
                return super().__new__(cls, device="cuda:0", priority=priority)
            return super().__new__(
                cls, stream_id=stream_id, device_index=device_index, device_type=device_type
            )

        @property
        def cuda_stream(self) -> int:
            return int(self.stream_id)

    return CudaStreamBase


def event_base(module: Any, runtime: ctypes.CDLL, check: Callable[[int], None]) -> Any:
    class CudaEventBase(module.Event):
        def __new__(
            cls,
            enable_timing: Any = False,
            blocking: Any = False,
            interprocess: Any = False,
            external: Any = False,
        ) -> Any:
            return super().__new__(cls, device="cuda:0", enable_timing=enable_timing)

        @property
        def cuda_event(self) -> int:
            return int(self.event_id)

        def elapsed_time(self, other: Any) -> float:  # torch.Event's takes no subclass of it
            milliseconds = ctypes.c_float()
            events = (ctypes.c_void_p(each.event_id) for each in (self, other))
            check(runtime.cudaEventElapsedTime(ctypes.byref(milliseconds), *events))
            return milliseconds.value

    return CudaEventBase


def memory(runtime: ctypes.CDLL) -> dict[str, Any]:
    free, total = free_and_total(runtime)
    used = {"current": total - free, "peak": total - free}
    return {"allocated_bytes": {"all": used}, "reserved_bytes": {"all": used}}


def cudart(runtime: ctypes.CDLL) -> SimpleNamespace:
    return SimpleNamespace(
        cudaError=SimpleNamespace(success=0),
        cudaGetErrorString=lambda error: runtime.cudaGetErrorString(error).decode(),
        cudaMemGetInfo=lambda device: free_and_total(runtime),
        cudaDeviceSynchronize=lambda: runtime.cudaDeviceSynchronize(),
    )
