"""torch's Python side of the emulated CUDA device: what its C++ half lacks in a CPU build.

The names are those of `torch._C` in a CUDA build, so that torch.cuda is torch's own.
"""

import ctypes
import os
from types import SimpleNamespace

from emulated_device import free_and_total, properties


def actions(toolkit):
    """What to do before and after the import of modules."""
    runtime = []

    def load():
        for name in ("libcudart.so", "libtorch_cuda.so"):
            path = os.path.join(toolkit, "lib64", name)
            runtime.append(ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL))

    return {
        "torch": (load, finish),
        "torch._C": (lambda: None, lambda module: fill(module, *runtime)),
    }


def fill(module, runtime, library):
    """The functions and classes of torch._C that only a CUDA build has."""
    library.emulated_current_stream.restype = ctypes.c_void_p
    library.emulated_set_stream.argtypes = [ctypes.c_void_p]
    runtime.cudaGetErrorString.restype = ctypes.c_char_p

    def check(error):
        if error:
            text = runtime.cudaGetErrorString(error).decode(errors="replace")
            runtime.cudaGetLastError()
            raise RuntimeError(f"CUDA error: {text}")

    def current(device=0):
        return library.emulated_current_stream() or 0

    def set_device(device):
        if device > 0:
            raise RuntimeError("CUDA error: invalid device ordinal")

    def exchange(device):
        set_device(device)
        return 0 if device >= 0 else -1

    def initialize():
        import torch

        torch.cuda._get_device_properties = lambda index: properties(runtime)
        # the first one made is the one that operators use
        torch.cuda.default_generators = (torch.Generator("cuda"),)

    names = {
        "_has_cuda": True,
        "_cudart": cudart(runtime),
        "_CudaDeviceProperties": SimpleNamespace,
        "_CudaStreamBase": stream_base(module),
        "_CudaEventBase": event_base(module, runtime, check),
        "_cuda_init": initialize,
        "_cuda_isInBadFork": lambda: False,
        "_cuda_getDeviceCount": lambda: 1,
        "_cuda_getDevice": lambda: 0,
        "_cuda_setDevice": set_device,
        "_cuda_exchangeDevice": exchange,
        "_cuda_maybeExchangeDevice": exchange,
        "_cuda_canDeviceAccessPeer": lambda device, peer: False,
        "_cuda_getArchFlags": lambda: "sm_80",
        "_cuda_synchronize": lambda: check(runtime.cudaDeviceSynchronize()),
        "_cuda_getCurrentStream": lambda device=0: (current(), 0, 1),
        "_cuda_getDefaultStream": lambda device=0: (0, 0, 1),
        "_cuda_getStreamFromExternal": lambda pointer, device=0: (pointer, 0, 1),
        "_cuda_getCurrentRawStream": current,
        "_cuda_setStream": lambda stream_id, **rest: library.emulated_set_stream(stream_id),
        "_cuda_isCurrentStreamCapturing": lambda: False,
        "_CUDAGraph": missing("CUDA graphs"),
        "_graph_pool_handle": missing("CUDA graphs"),
        "_cuda_emptyCache": lambda *rest: None,
        "_cuda_ipc_collect": lambda: None,
        "_cuda_clearCublasWorkspaces": lambda: None,
        "_cuda_memoryStats": lambda device: memory(runtime),
        "_cuda_resetPeakMemoryStats": lambda device: None,
        "_cuda_resetAccumulatedMemoryStats": lambda device: None,
    }
    for name, value in names.items():
        if not hasattr(module, name):
            setattr(module, name, value)
    module._has_cuda = True


def missing(what):
    class Missing:
        def __new__(cls, *args, **kwargs):
            raise NotImplementedError(f"{what}: not emulated")

    return Missing


def finish(torch):
    torch.version.cuda = "13.0"

    def storage(cls, *args, device=None, **kwargs):
        # a CPU build's own makes none on another device than the CPU
        if args and isinstance(args[0], int) and torch.device(device or "cpu").type == "cuda":
            return torch.empty(args[0], dtype=torch.uint8, device=device).untyped_storage()
        named = {} if device is None else {"device": device}
        return torch._C.StorageBase.__new__(cls, *args, **named, **kwargs)

    torch.UntypedStorage.__new__ = storage


def stream_base(module):
    class CudaStreamBase(module.Stream):
        """The id of a stream is its handle."""

        def __new__(
            cls, priority=0, stream_id=None, device_index=0, device_type=1, stream_ptr=None
        ):
            if stream_ptr is not None:
                stream_id = stream_ptr
            if stream_id is None:
                return super().__new__(cls, device="cuda:0", priority=priority)
            return super().__new__(
                cls, stream_id=stream_id, device_index=device_index, device_type=device_type
            )

        @property
        def cuda_stream(self):
            return self.stream_id

    return CudaStreamBase


def event_base(module, runtime, check):
    class CudaEventBase(module.Event):
        def __new__(cls, enable_timing=False, blocking=False, interprocess=False, external=False):
            return super().__new__(cls, device="cuda:0", enable_timing=enable_timing)

        @property
        def cuda_event(self):
            return self.event_id

        def elapsed_time(self, other):  # torch.Event's takes no subclass of it
            milliseconds = ctypes.c_float()
            events = (ctypes.c_void_p(each.event_id) for each in (self, other))
            check(runtime.cudaEventElapsedTime(ctypes.byref(milliseconds), *events))
            return milliseconds.value

    return CudaEventBase


def memory(runtime):
    free, total = free_and_total(runtime)
    used = {"current": total - free, "peak": total - free}
    return {"allocated_bytes": {"all": used}, "reserved_bytes": {"all": used}}


def cudart(runtime):
    return SimpleNamespace(
        cudaError=SimpleNamespace(success=0),
        cudaGetErrorString=lambda error: runtime.cudaGetErrorString(error).decode(),
        cudaMemGetInfo=lambda device: free_and_total(runtime),
        cudaDeviceSynchronize=lambda: runtime.cudaDeviceSynchronize(),
    )
