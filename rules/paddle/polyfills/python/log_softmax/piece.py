import paddle

from .methods_of_tensors import _methods


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """The logarithm of softmax along a dimension, -inf where the softmax is 0."""
    dtype = dtype or input.dtype
    larger = "float32" if dtype in (paddle.float16, paddle.bfloat16) else dtype
    moved = input.astype(larger)
    if dim is None:
        dim = 0 if moved.ndim in (0, 1, 3) else 1
    moved = moved - paddle.max(moved, dim, keepdim=True).detach()
    return (moved - moved.exp().sum(dim, keepdim=True).log()).astype(dtype)


_methods(log_softmax=lambda self, dim, dtype=None: log_softmax(self, dim, dtype=dtype))
