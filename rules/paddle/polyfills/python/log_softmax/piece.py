import functools

import paddle

from .computing import _HALVES
from .methods_of_tensors import _methods
from .rounded_steps import _unrounded, _rounding, _sloped, _takes_half
from .slopes import _of_log_softmax


@_takes_half
def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of softmax along a dimension, -inf where the softmax is 0."""
    dtype = dtype or input.dtype
    if dim is None:
        dim = 0 if input.ndim in (0, 1, 3) else 1
    input = input.astype(dtype)
    if not input._numel():
        return input
    # On a CPU torch keeps the sums of rows, and their logarithms, in half.
    rows = dtype in _HALVES and input.place.is_cpu_place() and dim in (-1, input.ndim - 1)
    rounded = _rounding(dtype) if rows else _unrounded

    def logarithms(x):
        wide = x.astype(paddle.float32) if x.dtype in _HALVES else x
        away = wide - paddle.max(wide, dim, keepdim=True).detach()
        total = rounded(away.exp().sum(dim, keepdim=True))
        return (away - rounded(total.log())).astype(x.dtype)

    return _sloped(logarithms, functools.partial(_of_log_softmax, dim=dim), dtype, input)


@_takes_half
def _log_softmax(self, dim, dtype=None):
    return log_softmax(self, dim, dtype=dtype)


_methods(log_softmax=_log_softmax)
