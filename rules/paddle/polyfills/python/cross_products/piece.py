import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods
from .torchs_meaning import _torch


def _cross_by_products(theirs, name):
    """By other steps where a gradient is wanted: Paddle's backward pass needs those of both operands."""
    default = -1 if name == "linalg.cross" else None

    @functools.wraps(theirs)
    def cross(input, other, *args, **kwargs):
        if paddle.is_grad_enabled() and not (input.stop_gradient and other.stop_gradient):
            return _torch("cross")(
                input, other, *args, **{"dim": default, **kwargs} if not args else kwargs
            )
        return theirs(input, other, *args, **kwargs)

    return cross


_wrap_functions(_cross_by_products, ["linalg.cross"])
_wrap_methods(_cross_by_products, ["cross"])
