import paddle

from .methods_of_tensors import _as_in_torch

_paddle_flip = paddle.flip


def flip(input, *dimensions, dims=None):
    """In the opposite order along these dimensions, given one by one or as a list."""
    given = dimensions if dims is None else (dims,)
    listed = [d for each in given for d in (each if isinstance(each, (list, tuple)) else [each])]
    last = max(input.ndim, 1) - 1
    for dimension in listed:
        if not -last - 1 <= dimension <= last:
            said = f"(expected to be in range of [{-last - 1}, {last}], but got {dimension})"
            raise IndexError(f"Dimension out of range {said}")
    listed = [dimension % (last + 1) for dimension in listed]
    for dimension in listed:
        if listed.count(dimension) > 1:
            raise RuntimeError(f"dim {dimension} appears multiple times in the list of dims")
    return _paddle_flip(input, listed) if listed and input.ndim else input.clone()


_as_in_torch(flip)
