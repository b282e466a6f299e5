import paddle

from .methods_of_tensors import _as_in_torch


def std(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation: std(input, [dim,] [unbiased])."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    return paddle.var(input, dim, keepdim=keepdim, correction=correction).sqrt()


_as_in_torch(std)
