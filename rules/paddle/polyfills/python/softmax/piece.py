import math
import sys

import paddle
from paddle.nn import functional

from .methods_of_tensors import _methods

# On a CPU Paddle takes what is more than 64 below the greatest value for 64 below it.
_LEAST = 1.001 * math.exp(-64)
_SMALLEST = sys.float_info.min


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The shares of exponentials along a dimension, 0 for -inf."""
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
    if dtype is not None:
        input = input.astype(dtype)
    shares = functional.softmax(input, dim)
    if not input._numel() or not input.place.is_cpu_place():
        return shares
    if paddle._C_ops.min(shares.detach(), [], False).item() > _LEAST:
        return shares
    wide = input.astype(paddle.float32) if input.dtype == paddle.bfloat16 else input
    parts = (wide - wide.detach().max(dim, keepdim=True)).exp()
    if parts.dtype == paddle.float64:  # whose exponential ends above 0
        parts = parts * (parts.detach() >= _SMALLEST).astype(parts.dtype)
    return (parts / parts.sum(dim, keepdim=True)).astype(input.dtype)


def _softmax_along(self, dim, dtype=None):
    return softmax(self, dim, dtype=dtype)


_methods(softmax=_softmax_along)
