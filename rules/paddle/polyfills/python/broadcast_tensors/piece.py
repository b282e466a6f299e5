import functools

import paddle

from .half_on_cpu import _is_recorded

_paddle_broadcast_tensors = paddle.broadcast_tensors


def broadcast_tensors(*tensors):
    """Views of the tensors in their common shape."""
    many = len(tensors) == 1 and isinstance(tensors[0], (list, tuple))
    values = [*(tensors[0] if many else tensors)]
    recorded = [_is_recorded(each) for each in values]
    one_dtype = len({each.dtype for each in values}) < 2
    mixed = not one_dtype or any(recorded) and not all(recorded)
    if mixed or len(values) == 1:  # where Paddle's backward pass ends the process, or fails
        shape = functools.reduce(paddle.broadcast_shape, (each.shape for each in values))
        return tuple(each.expand(shape) for each in values)
    return tuple(_paddle_broadcast_tensors(values))
