"""What the emulated CUDA runtime answers of its device, for the Python side of each framework.

Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import ctypes
from types import SimpleNamespace


def free_and_total(runtime: ctypes.CDLL) -> tuple[int, int]:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    runtime.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total))
    return free.value, total.value


ATTRIBUTES = {  # as torch names them -> number in enum cudaDeviceAttr
    "warp_size": 10,
    "multi_processor_count": 16,
    "max_threads_per_block": 1,
    "max_threads_per_multi_processor": 39,
    "major": 75,
    "minor": 76,
    "shared_memory_per_block": 8,
    "shared_memory_per_block_optin": 97,
    "shared_memory_per_multiprocessor": 81,
    "regs_per_multiprocessor": 82,
}


def properties(runtime: ctypes.CDLL) -> SimpleNamespace:
    """The properties of the device, as the runtime answers them."""
    found = {}
    for name, number in ATTRIBUTES.items():
        value = ctypes.c_int()
        runtime.cudaDeviceGetAttribute(ctypes.byref(value), number, 0)
        found[name] = value.value
    whole = ctypes.create_string_buffer(4096)  # begins with the name
    runtime.cudaGetDeviceProperties(whole, 0)
    return SimpleNamespace(
        name=whole.value.decode(),
        total_memory=free_and_total(runtime)[1],
        L2_cache_size=4 << 20,
        is_integrated=0,
        is_multi_gpu_board=0,
        **found,
    )
