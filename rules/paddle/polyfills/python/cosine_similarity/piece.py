import math

import paddle

from .computing import _as_dtype, _of_itself
from .norms import vector_norm
from .promotion import _result_dtype
from .rounded_steps import _in_steps, _sloped, _takes_half
from .slopes import _of_quotient


@_takes_half
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosines of the angles between vectors along a dimension, each norm at least eps."""

    def at_least(norm):  # with the gradient of the norm itself, as torch has it
        return norm + (norm.clip(min=eps, max=math.inf) - norm).detach()

    def direction(x):
        x = _of_itself(lambda x: x.expand(shape or [1]), _as_dtype(x, dtype, x.place))
        length = _of_itself(at_least, vector_norm(x, 2, dim, True))
        return _sloped(paddle.divide, _of_quotient, dtype, x, length)

    dtype = _result_dtype(x1, x2)
    shape = paddle.broadcast_shape(x1.shape, x2.shape)
    x, y = map(direction, (x1, x2))
    return _in_steps(lambda r, x, y: r(x * y).sum(dim), dtype, x, y)
