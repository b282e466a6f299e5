import math

import paddle

from .computing import _computed
from .overrides import _function

_paddles_search = _function("searchsorted")


def _with_least_first(found, sequence, values, right):
    """The places with those of infinite values, all of which Paddle puts at the end."""
    infinite, sign = (values == -math.inf, -1) if right else (values.isinf(), 1)
    ends = (sequence == sign * math.inf).sum(-1, keepdim=sequence.ndim > 1)
    if right:
        place = ends
    else:
        place = paddle.where(values > 0, (sequence.shape[-1] - ends).astype(found.dtype).expand(found.shape), 0 * found)
    return paddle.where(infinite, place.astype(found.dtype).expand(found.shape), found)


def searchsorted(
    sorted_sequence, input, *, out_int32=False, right=False, side=None, out=None, sorter=None
):
    """Where to put values, or a number, in a sorted sequence."""
    if isinstance(input, paddle.Tensor):
        found = _paddles_search(
            sorted_sequence, input, out_int32, right, side=side, out=out, sorter=sorter
        )
        if out is not None or not input.is_floating_point():
            return found
        return _with_least_first(found, sorted_sequence, input, side == "right" if side is not None else right)
    if sorted_sequence.ndim != 1:
        raise RuntimeError("a number can be searched for in one dimension only")
    if side is not None:
        right = side == "right"

    def searched(sequence, value):
        return paddle.searchsorted(sequence, value.reshape([1]), out_int32, right, sorter=sorter)

    return _computed(searched, sorted_sequence, input).reshape([])


def bucketize(input, boundaries, *, out_int32=False, right=False, out=None):
    """As searchsorted, with its first two arguments in each other's place."""
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)
