from paddle import compat

from .methods_of_tensors import _as_in_torch


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The elements, or slices of a dimension, each once; where each is, and how many there are."""
    found = compat.unique(input, sorted, return_inverse, return_counts, dim)
    if not return_inverse or dim is not None:
        return found
    values, inverse, *counts = found
    return values, inverse.reshape(input.shape), *counts


_as_in_torch(unique)
