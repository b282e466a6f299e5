import functools
import math

import paddle

from .computing import _is_zero, _of_itself
from .linear_algebra import _svd
from .methods_of_tensors import _methods
from .rounded_steps import _sloped, _takes_half
from .slopes import _of_norm

_SINGULAR = {2: paddle.amax, -2: paddle.amin, "nuc": paddle.sum}
_SUMMED = {1: (0, paddle.amax), -1: (0, paddle.amin), math.inf: (1, paddle.amax), -math.inf: (1, paddle.amin)}


def _power(x, power):
    """A power, of float64 too: Paddle takes a number as float32."""
    if power == 0.5:
        return paddle.sqrt(x)
    return paddle.pow(x, paddle.full([], power, dtype=x.dtype))


def _root(total, power):
    """A root, whose gradient is 0 at 0."""
    zero = _is_zero(total)
    root = _power(paddle.where(zero, paddle.ones_like(total), total), 1 / power)
    return paddle.where(zero, paddle.zeros_like(root), root)


def _of_vectors(x, ord, dims, keepdim):
    squared = ord == 2
    if x.is_complex():
        squares = x.real() ** 2 + x.imag() ** 2
        x = squares if squared else _root(squares, 2)
    else:
        x = x * x if squared else x.abs()
    if not x.ndim:
        dims = None
    if ord in (math.inf, -math.inf):
        return (paddle.amax if ord > 0 else paddle.amin)(x, dims, keepdim)
    if ord == 0:
        return (~_is_zero(x)).astype(x.dtype).sum(dims, keepdim=keepdim)
    if ord == 1:
        return x.sum(dims, keepdim=keepdim)
    return _root((x if squared else _power(x, ord)).sum(dims, keepdim=keepdim), ord)


def _of_matrices(x, ord, dims, keepdim):
    if ord == "fro":
        return _of_vectors(x, 2, list(dims), keepdim)
    x = paddle.moveaxis(x, list(dims), [-2, -1])
    if ord in _SINGULAR:
        made = _SINGULAR[ord](_svd(x, False)[1], -1)
    elif ord in _SUMMED:
        first, chosen = _SUMMED[ord]
        made = chosen(_of_vectors(x, 1, -2 + first, False), -1)
    else:
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    for dim in sorted(dim % x.ndim for dim in dims) if keepdim else ():
        made = made.unsqueeze(dim)
    return made


def _dims(dim):
    return list(dim) or None if isinstance(dim, (list, tuple)) else dim


@_takes_half
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    x = x if dtype is None else x.astype(dtype)
    slopes = functools.partial(_of_norm, ord=ord, dim=dim, keepdim=keepdim)
    found = _sloped(lambda x: _of_vectors(x, ord, _dims(dim), keepdim), slopes, x.dtype, x)
    return found if out is None else paddle.assign(found, out)


@_takes_half
def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    A = A if dtype is None else A.astype(dtype)
    found = _of_itself(lambda x: _of_matrices(x, ord, dim, keepdim), A)
    return found if out is None else paddle.assign(found, out)


@_takes_half
def linalg_norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype, out=out)
    if isinstance(dim, int) or (dim is not None and len(dim) == 1) or (dim is None and A.ndim == 1):
        return vector_norm(A, ord, dim, keepdim, dtype=dtype, out=out)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype, out=out)


@_takes_half
def torch_norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if p == "nuc":
        return matrix_norm(input, p, (-2, -1) if dim is None else dim, keepdim, dtype=dtype, out=out)
    order = 2 if p in ("fro", None) else float(p)
    return vector_norm(input, order, dim, keepdim, dtype=dtype, out=out)


@_takes_half
def _norm_method(self, p="fro", dim=None, keepdim=False, dtype=None):
    return torch_norm(self, p, dim, keepdim, dtype=dtype)


_methods(norm=_norm_method)
