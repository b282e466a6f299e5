import math

import paddle

from .half_on_cpu import _is_recorded
from .methods_of_tensors import _method, _methods
from .overrides import _function


def _multiplied(x):
    """The product along the last dimension, by halves: its gradient is right where there are zeros."""
    count = x.shape[-1]
    while count > 1:
        half = count // 2
        made = x[..., :half] * x[..., half : 2 * half]
        x = paddle.concat([made, x[..., 2 * half :]], -1) if count % 2 else made
        count = x.shape[-1]
    return x.squeeze(-1)


def _derived_product(theirs):
    def prod(input, dim=None, keepdim=False, *, dtype=None):
        if dtype == paddle.bool:
            return paddle.all(input.astype(dtype), dim, keepdim)
        if not _is_recorded(input) or not input.size:
            rest = {} if dtype is None else {"dtype": dtype}
            return theirs(input, **rest) if dim is None else theirs(input, dim, keepdim, **rest)
        values = input if dtype is None else input.astype(dtype)
        if dim is None or not input.ndim:
            return _multiplied(values.reshape([math.prod(input.shape)]))
        made = _multiplied(paddle.moveaxis(values, dim, -1))
        return made.unsqueeze(dim) if keepdim else made

    return prod


prod = _derived_product(_function("prod"))
_methods(prod=_derived_product(_method("prod")))
