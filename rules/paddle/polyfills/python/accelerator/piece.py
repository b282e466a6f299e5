import functools

import paddle

from .torchs_meaning import _torch


def accelerator_device_count():
    return paddle.device.cuda.device_count() if paddle.is_compiled_with_cuda() else 0


def accelerator_is_available():
    return accelerator_device_count() > 0


def current_accelerator(check_available=False):
    """The kind of device that there is beside the CPU, or None."""
    known = accelerator_is_available() if check_available else paddle.is_compiled_with_cuda()
    return _torch("device")("cuda") if known else None


def _of_cuda(name, *args, **kwargs):
    if not accelerator_is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")
    return _torch(f"cuda.{name}")(*args, **kwargs)


accelerator_current_device_index = functools.partial(_of_cuda, "current_device")
accelerator_current_device_idx = accelerator_current_device_index
accelerator_set_device_index = functools.partial(_of_cuda, "set_device")
accelerator_set_device_idx = accelerator_set_device_index
accelerator_current_stream = functools.partial(_of_cuda, "current_stream")
accelerator_set_stream = functools.partial(_of_cuda, "set_stream")
accelerator_synchronize = functools.partial(_of_cuda, "synchronize")
accelerator_empty_cache = functools.partial(_of_cuda, "empty_cache")
accelerator_get_memory_info = functools.partial(_of_cuda, "mem_get_info")
accelerator_memory_stats = functools.partial(_of_cuda, "memory_stats")
accelerator_memory_allocated = functools.partial(_of_cuda, "memory_allocated")
accelerator_memory_reserved = functools.partial(_of_cuda, "memory_reserved")
accelerator_max_memory_allocated = functools.partial(_of_cuda, "max_memory_allocated")
accelerator_max_memory_reserved = functools.partial(_of_cuda, "max_memory_reserved")
accelerator_reset_peak_memory_stats = functools.partial(_of_cuda, "reset_peak_memory_stats")
