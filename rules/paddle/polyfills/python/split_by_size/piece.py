import paddle
from paddle import compat

from .methods_of_tensors import _as_in_torch


def chunk(input, chunks, dim=0):
    """At most so many parts, all but the last of the same size."""
    if chunks < 1:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    return split(input, max(1, -(-input.shape[dim] // chunks)), dim)


def split(tensor, split_size_or_sections, dim=0):
    """Parts of a size, the last of which may be smaller, or of each size of a list."""
    size = split_size_or_sections
    if isinstance(size, int) and size > 0 and tensor.is_complex():  # has a kernel for lists alone
        length = tensor.shape[dim]
        size = [min(size, length - at) for at in range(0, length, size)] or [0]
    return compat.split(tensor, size, dim)


_as_in_torch(split, chunk)
