import itertools

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
    if isinstance(size, int) and size > 0 and not tensor.shape[dim]:
        size = [0]
    if isinstance(size, int) and size > 0 and tensor.is_complex():  # has a kernel for lists alone
        length = tensor.shape[dim]
        size = [min(size, length - at) for at in range(0, length, size)] or [0]
    if tensor.stop_gradient or not paddle.is_grad_enabled():
        return _views_of_sizes(tensor, size, dim) or compat.split(tensor, size, dim)
    parts = compat.split(tensor, size, dim)
    views = _views_of_sizes(tensor.detach(), [part.shape[dim] for part in parts], dim)
    for part, view in zip(parts, views, strict=True):
        view._share_underline_tensor_to(part)  # whose history stays
    return parts


def _views_of_sizes(tensor, sizes, dim):
    """Parts as views, where Paddle's have memory of their own; nothing, where torch refuses the sizes."""
    if not tensor.ndim or not -tensor.ndim <= dim < tensor.ndim:
        return ()
    length = tensor.shape[dim]
    if isinstance(sizes, int):
        if sizes <= 0:
            return ()
        sizes = [min(sizes, length - at) for at in range(0, length, sizes)] or [0]
    if min(sizes, default=-1) < 0 or sum(sizes) != length:
        return ()
    before, ends = (slice(None),) * (dim % tensor.ndim), [0, *itertools.accumulate(sizes)]
    return tuple(tensor[(*before, slice(start, end))] for start, end in itertools.pairwise(ends))


_as_in_torch(split, chunk)
