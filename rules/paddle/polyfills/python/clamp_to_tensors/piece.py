import paddle

from .computing import _writing
from .methods_of_tensors import _method, _methods
from .overrides import _function
from .pointwise import clamp_max, clamp_min


def _to_tensors(input, min=None, max=None):
    if min is not None:
        input = clamp_min(input, min)
    return input if max is None else clamp_max(input, max)


def _bounded(theirs, ours=_to_tensors):
    def clamp(input, min=None, max=None):
        several = any(isinstance(bound, paddle.Tensor) and bound.size > 1 for bound in (min, max))
        return (ours if several else theirs)(input, min, max)

    return clamp


clamp, clip = _bounded(_function("clamp")), _bounded(_function("clip"))
_methods(
    clamp=_bounded(_method("clamp")),
    clip=_bounded(_method("clip")),
    clamp_=_bounded(_method("clamp_"), _writing(_to_tensors)),
    clip_=_bounded(_method("clip_"), _writing(_to_tensors)),
)
