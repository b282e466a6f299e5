import contextlib


def _without_xpu(*args, **kwargs):
    raise AssertionError("Torch not compiled with XPU enabled")


def _no_memory(device=None):
    return 0


def _unused_seed(seed):
    pass


xpu_current_device = _without_xpu
xpu_current_stream = _without_xpu
xpu_get_device_name = _without_xpu
xpu_get_device_properties = _without_xpu
xpu_set_device = _without_xpu
xpu_synchronize = _without_xpu
xpu_memory_allocated = _no_memory
xpu_memory_reserved = _no_memory
xpu_max_memory_allocated = _no_memory
xpu_max_memory_reserved = _no_memory
xpu_manual_seed = _unused_seed
xpu_manual_seed_all = _unused_seed


def xpu_empty_cache():
    pass


def xpu_is_bf16_supported(including_emulation=True):
    return False


class xpu_device(contextlib.AbstractContextManager):
    """A device to choose, of which there is none: only None can be chosen."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        if self.idx is not None:
            raise NotImplementedError("torch.xpu.device requires an XPU")
        return self

    def __exit__(self, *raised):
        pass
