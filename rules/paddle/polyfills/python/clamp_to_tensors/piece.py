import paddle

from .computing import _writing
from .methods_of_tensors import _method, _methods
from .overrides import _function
from .pointwise import clamp_max, clamp_min


def _to_tensors(input, min=None, max=None):
    if min is not None:
        input = clamp_min(input, min)
    return input if max is None else clamp_max(input, max)


_CLIPPED = frozenset({paddle.float16, paddle.bfloat16, paddle.float32, paddle.float64})
_WIDEST = {
    **dict.fromkeys(_CLIPPED, (float("-inf"), float("inf"))),
    paddle.int32: (-(2**31), 2**31 - 1),
    paddle.int64: (-(2**63), 2**63 - 1),
}


def _is_clipped(input, min, max):
    """Whether Paddle's clip has a kernel for these, and gives what torch does."""
    bounds = [bound for bound in (min, max) if bound is not None]
    if any(isinstance(bound, paddle.Tensor) for bound in bounds):
        return len(bounds) < 2 and bounds[0].size == 1  # of two, which is larger is known to the device
    whole = input.dtype in (paddle.int32, paddle.int64) and not any(isinstance(bound, float) for bound in bounds)
    return (input.dtype in _CLIPPED or whole) and (len(bounds) < 2 or min <= max)


def _bounded(theirs, ours=_to_tensors):
    def clamp(input, min=None, max=None):
        if not _is_clipped(input, min, max):
            return ours(input, min, max)
        least, most = _WIDEST[input.dtype]  # Paddle takes other ones: those of float32 in place and of whole numbers
        return theirs(input, least if min is None else min, most if max is None else max)

    return clamp


clamp, clip = _bounded(_function("clamp")), _bounded(_function("clip"))
_methods(
    clamp=_bounded(_method("clamp")),
    clip=_bounded(_method("clip")),
    clamp_=_bounded(_method("clamp_"), _writing(_to_tensors)),
    clip_=_bounded(_method("clip_"), _writing(_to_tensors)),
)
