import functools

import paddle
from paddle.autograd import PyLayer

Function = PyLayer


def once_differentiable(fn):
    """A backward pass that is not recorded."""

    @functools.wraps(fn)
    def unrecorded(ctx, *gradients):
        with paddle.no_grad():
            return fn(ctx, *gradients)

    return unrecorded
