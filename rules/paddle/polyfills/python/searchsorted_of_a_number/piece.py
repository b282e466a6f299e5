import paddle

from .computing import _computed
from .overrides import _function

_paddles_search = _function("searchsorted")


def searchsorted(
    sorted_sequence, input, *, out_int32=False, right=False, side=None, out=None, sorter=None
):
    """Where to put values, or a number, in a sorted sequence."""
    if isinstance(input, paddle.Tensor):
        return _paddles_search(
            sorted_sequence, input, out_int32, right, side=side, out=out, sorter=sorter
        )
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
