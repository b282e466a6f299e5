from paddle import compat

from .methods_of_tensors import _as_in_torch


def chunk(input, chunks, dim=0):
    """At most so many parts, all but the last of the same size."""
    if chunks < 1:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    return compat.split(input, max(1, -(-input.shape[dim] // chunks)), dim)


_as_in_torch(compat.split, chunk)
