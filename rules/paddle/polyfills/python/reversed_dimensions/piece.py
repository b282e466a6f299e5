import paddle

from .methods_of_tensors import _as_in_torch

_paddle_flip = paddle.flip


def flip(input, *dimensions, dims=None):
    """In the opposite order along these dimensions, given one by one or as a list."""
    given = dimensions if dims is None else (dims,)
    listed = [d for each in given for d in (each if isinstance(each, (list, tuple)) else [each])]
    return _paddle_flip(input, listed) if listed else input.clone()


_as_in_torch(flip)
