import paddle
from paddle import compat

from .methods_of_tensors import _as_in_torch


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The elements, or slices of a dimension, each once; where each is, and how many there are."""
    if dim is not None:
        return _of_slices(input, sorted, return_inverse, return_counts, dim)
    found = compat.unique(input if input.size else input.flatten(), sorted, return_inverse, return_counts)
    if not return_inverse:
        return found
    values, inverse, *counts = found
    return values, inverse.reshape(input.shape), *counts


def _of_slices(input, sorted, return_inverse, return_counts, dim):
    """Of slices as rows: Paddle compares those of inner dimensions otherwise, and ends the process
    where the dimension is negative."""
    moved = paddle.moveaxis(input, dim, 0)
    rows = moved.reshape([moved.shape[0], -1])
    found = compat.unique(rows, sorted, return_inverse, return_counts, 0)
    values, *rest = found if isinstance(found, tuple) else (found,)
    values = paddle.moveaxis(values.reshape([values.shape[0], *moved.shape[1:]]), 0, dim)
    return (values, *rest) if rest else values


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements, or slices, without those that follow the same; where each is, how many."""
    found = paddle.unique_consecutive(input, return_inverse, return_counts, dim)
    if dim is not None or not return_inverse:
        return found
    values, inverse, *counts = found
    return values, inverse.reshape(input.shape), *counts


_as_in_torch(unique, unique_consecutive)
