import functools

import paddle

from .torchs_meaning import _torch


def custom_fwd(fwd=None, *, device_type=None, cast_inputs=None):
    """The forward of an autograd function, told how it is to run under autocast."""
    _named(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx, *args, **kwargs):
        active = _torch("is_autocast_enabled")(device_type or "cuda")
        ctx._autocast = active and cast_inputs is None
        if not active or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with _torch("amp.autocast")(device_type or "cuda", enabled=False):
            return fwd(ctx, *_cast(args, cast_inputs), **_cast(kwargs, cast_inputs))

    return forward


def custom_bwd(bwd=None, *, device_type=None):
    """The backward of one whose forward is a custom_fwd."""
    _named(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(ctx, *gradients):
        with _torch("amp.autocast")(device_type or "cuda", enabled=ctx._autocast):
            return bwd(ctx, *gradients)

    return backward


def _named(device_type):
    if not isinstance(device_type, (str, type(None))):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def _cast(value, dtype):
    """Floating-point tensors in a dtype, also those in collections; double stays."""
    if isinstance(value, paddle.Tensor):
        fits = value.is_floating_point() and value.dtype != paddle.float64
        return value.astype(dtype) if fits else value
    if isinstance(value, dict):
        return {key: _cast(each, dtype) for key, each in value.items()}
    return (
        type(value)(_cast(v, dtype) for v in value) if isinstance(value, (list, tuple)) else value
    )
