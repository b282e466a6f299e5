import paddle
from paddle.nn import functional

from .activations_in_place import _into, _kept
from .pointwise import hardshrink

_STRAIGHT = 1000  # as far below 0 logsigmoid is its argument

def _in_float32(function):
    """Half is rounded once, as torch does."""

    def activation(input, *args, **kwargs):
        if input.dtype not in (paddle.float16, paddle.bfloat16):
            return function(input, *args, **kwargs)
        return function(input.astype(paddle.float32), *args, **kwargs).astype(input.dtype)

    return activation


@_in_float32
def softplus(input, beta=1.0, threshold=20.0):
    steep = input * beta
    curved = steep.clip(max=threshold).exp().log1p() / beta
    return paddle.where(steep > threshold, input, curved)


@_in_float32
def logsigmoid(input):
    straight = input < -_STRAIGHT
    return paddle.where(straight, input, functional.logsigmoid(input.clip(min=-_STRAIGHT)))


@_in_float32
def _silu_by_steps(x):
    return x * functional.sigmoid(x)


@_in_float32
def _mish_by_steps(x):
    return x * softplus(x).tanh()


def silu(input, inplace=False):
    made = _silu_by_steps if input.place.is_cpu_place() else functional.silu
    return _into(input, made(_kept(input, inplace)), inplace)


def mish(input, inplace=False):
    return _into(input, _mish_by_steps(_kept(input, inplace)), inplace)


functional_hardshrink = hardshrink
