import functools

import paddle
from paddle import compat

from .methods_of_tensors import _as_in_torch, _wrap_functions, _wrap_methods


def _also_of_none(theirs, _):
    @functools.wraps(theirs)
    def topk(input, k, dim=-1, largest=True, sorted=True, **options):
        if k != 0 or not isinstance(input, paddle.Tensor) or options:
            return theirs(input, k, dim, largest, sorted, **options)
        values, places = theirs(input, 1, dim, largest, sorted) if input.size else (input, input.astype("int64"))
        none = (slice(None),) * (dim % max(input.ndim, 1)) + (slice(0),)
        return values[none], places[none]

    return topk


_as_in_torch(compat.sort, compat.max, compat.min, compat.median)
_wrap_functions(_also_of_none, ["topk"])
_wrap_methods(_also_of_none, ["topk"])
