import os

import paddle

from .torchs_meaning import _torch

has_half, has_magma = True, False
opt_einsum_enabled = False
opt_einsum_strategy = None


def opt_einsum_is_available():
    return False


def opt_einsum_get_opt_einsum():
    """The module for it: none is used."""


class device_of:
    """The device of a tensor inside; of one that is on no GPU, no other than before."""

    def __init__(self, obj):
        place = getattr(obj, "place", None)
        is_there = isinstance(obj, paddle.Tensor) and place.is_gpu_place()
        self.idx = place.gpu_device_id() if is_there else -1
        self._within = _torch("cuda.device")(self.idx) if is_there else None

    def __enter__(self):
        if self._within is not None:
            self._within.__enter__()

    def __exit__(self, *error):
        if self._within is not None:
            self._within.__exit__(*error)
        return False


def is_tf32_supported():
    """Whether the GPU computes in it: those since Ampere do."""
    if not (paddle.is_compiled_with_cuda() and paddle.device.cuda.device_count()):
        return False
    return paddle.device.cuda.get_device_capability()[0] >= 8


def memory_cached(device=None):
    return _torch("cuda.memory_reserved")(device)


def max_memory_cached(device=None):
    return _torch("cuda.max_memory_reserved")(device)


def nvtx_mark(msg):
    if not paddle.is_compiled_with_cuda():
        raise RuntimeError("NVTX functions not installed. Are you sure you have a CUDA build?")
    paddle.cuda.nvtx.range_push(msg)
    paddle.cuda.nvtx.range_pop()


def seed_all():
    if paddle.is_compiled_with_cuda():
        _torch("cuda.manual_seed_all")(int.from_bytes(os.urandom(7), "big"))


random_seed_all = seed_all


def random_get_rng_state(device="cuda"):
    return _torch("cuda.get_rng_state")(device)


def random_set_rng_state(new_state, device="cuda"):
    return _torch("cuda.set_rng_state")(new_state, device)


def random_initial_seed():
    return _torch("cuda.initial_seed")()


def random_manual_seed(seed):
    return _torch("cuda.manual_seed")(seed)


def random_manual_seed_all(seed):
    return _torch("cuda.manual_seed_all")(seed)


def random_seed():
    return _torch("cuda.seed")()
