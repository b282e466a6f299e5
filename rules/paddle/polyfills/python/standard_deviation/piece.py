import functools
import math

import paddle

from .computing import _deviation_of, _in_double_on_cpu
from .methods_of_tensors import _as_in_torch
from .rounded_steps import _sloped, _takes_half
from .slopes import _of_deviation


@_takes_half
def std(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation: std(input, [dim,] [unbiased])."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    dims = range(input.ndim) if dim in (None, (), []) else [dim] if isinstance(dim, int) else dim
    count = math.prod(input.shape[each] for each in dims)
    scale = count / (count - correction) if count > correction else math.inf

    # paddle.var with a correction waits for the device, to warn of one that is too large
    def deviation(x):
        parts = x.as_real().unbind(-1) if x.is_complex() else [x]
        wide = [_in_double_on_cpu(part) for part in parts]
        each = [paddle.var(part, dim, keepdim=keepdim, correction=0) for part in wide]
        total = sum(variance.astype(part.dtype) for variance, part in zip(each, wide, strict=True))
        return _deviation_of(total * scale).astype(parts[0].dtype)

    slopes = functools.partial(_of_deviation, dim=dim, keepdim=keepdim, correction=correction)
    return _sloped(deviation, slopes, input.dtype, input)


_as_in_torch(std)
