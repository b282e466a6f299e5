import contextlib
import enum

import paddle

from .overrides import _register

_sdp = dict.fromkeys(("flash", "math", "mem_efficient", "cudnn"), True)


def _enable(**wanted):
    """Set what may be used; what may not, Paddle does not use either."""
    _sdp.update({name: bool(enabled) for name, enabled in wanted.items()})
    sdpa = getattr(getattr(paddle.nn, "attention", None), "sdpa", None)
    known = getattr(sdpa, "_backend_enabled", None)
    if known is None:
        return
    flags, Backend = paddle.framework._global_flags(), sdpa.SDPBackend
    known[Backend.MATH] = _sdp["math"]
    flash = flags.get("FLAGS_flash_attn_available", False)
    known[Backend.FLASH_ATTENTION] = _sdp["flash"] and flash
    efficient = flags.get("FLAGS_mem_efficient_attn_available", False)
    known[Backend.EFFICIENT_ATTENTION] = _sdp["mem_efficient"] and efficient


def enable_flash_sdp(enabled):
    _enable(flash=enabled)


def enable_math_sdp(enabled):
    _enable(math=enabled)


def enable_mem_efficient_sdp(enabled):
    _enable(mem_efficient=enabled)


def enable_cudnn_sdp(enabled):
    _enable(cudnn=enabled)


def flash_sdp_enabled():
    return _sdp["flash"]


def math_sdp_enabled():
    return _sdp["math"]


def mem_efficient_sdp_enabled():
    return _sdp["mem_efficient"]


def cudnn_sdp_enabled():
    return _sdp["cudnn"]


@contextlib.contextmanager
def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    before = dict(_sdp)
    try:
        _enable(
            flash=enable_flash,
            math=enable_math,
            mem_efficient=enable_mem_efficient,
            cudnn=enable_cudnn,
        )
        yield
    finally:
        _enable(**before)


class _SDPBackend(enum.IntEnum):
    """What may compute attention, by torch's numbers, which Paddle's are equal to."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    __str__ = enum.Enum.__str__


SDPBackend = _SDPBackend
SDPBackend.__name__ = SDPBackend.__qualname__ = "SDPBackend"
_SDP_BACKENDS = {
    "math": SDPBackend.MATH, "flash": SDPBackend.FLASH_ATTENTION, "mem_efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
}  # fmt: skip


def _cur_sdpa_kernel_backends(with_priority=False):
    return [backend for name, backend in _SDP_BACKENDS.items() if _sdp[name]]


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Allow these kernels alone. Their order is Paddle's, whatever `set_priority` says."""
    listed = [backends] if isinstance(backends, SDPBackend) else backends
    if not isinstance(listed, list) or not all(isinstance(each, SDPBackend) for each in listed):
        said = f"Backend must be an instance of SDPBackend or a list of SDPBackend instances, got {type(backends).__name__}"
        raise AssertionError(said)
    before = dict(_sdp)
    try:
        _enable(**{name: backend in listed for name, backend in _SDP_BACKENDS.items()})
        yield {}
    finally:
        _enable(**before)


_register({}, {"torch.nn.attention.SDPBackend": SDPBackend, "torch.nn.attention.sdpa_kernel": sdpa_kernel})
