import paddle

from .methods_of_tensors import _as_in_torch


def narrow(input, dim, start, length):
    """The part of a tensor from a place on in a dimension: a view of it."""
    if input.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -input.ndim <= dim < input.ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-input.ndim}, {input.ndim - 1}], but got {dim})"
        )
    start = int(start) if isinstance(start, paddle.Tensor) else start
    size = input.shape[dim]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, start + length),)]


_as_in_torch(narrow)
