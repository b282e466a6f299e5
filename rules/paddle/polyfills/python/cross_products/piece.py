import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods
from .torchs_meaning import _torch


def _cross_by_products(theirs, name):
    """By other steps where a gradient is wanted: Paddle's backward pass needs those of both operands. Along the
    last dimension in torch.linalg, where Paddle takes the first one of three elements."""
    of_linalg = name == "linalg.cross"  # along the last dimension

    @functools.wraps(theirs)
    def cross(input, other, *args, **kwargs):
        if of_linalg and not args:
            kwargs.setdefault("dim", -1)
        if paddle.is_grad_enabled() and not (input.stop_gradient and other.stop_gradient):
            return _torch("cross")(input, other, *args, **kwargs)
        return theirs(input, other, *args, **kwargs)

    return cross


_wrap_functions(_cross_by_products, ["linalg.cross"])
_wrap_methods(_cross_by_products, ["cross"])
