import collections

import paddle

from .methods_of_tensors import _methods

_SignAndLogarithm = collections.namedtuple("slogdet", ["sign", "logabsdet"])  # type: ignore[name-match]
_paddle_slogdet = paddle.linalg.slogdet


def _sizes_of_pivots(matrix):
    """What its columns are divided by for a determinant of size 1: Paddle takes the logarithm of the determinant,
    which is 0 or infinite for matrices of some hundred rows."""
    with paddle.no_grad():
        factors = paddle.linalg.lu(matrix.detach())[0]
        sizes = paddle.abs(paddle.diagonal(factors, axis1=-2, axis2=-1))
        return paddle.where((sizes > 0) & paddle.isfinite(sizes), sizes, paddle.ones_like(sizes))


def slogdet(A):
    if A.ndim < 2 or A.shape[-1] != A.shape[-2] or 0 in A.shape:
        return _SignAndLogarithm(*_paddle_slogdet(A))
    sizes = _sizes_of_pivots(A)
    sign, logarithm = _paddle_slogdet(A / sizes.unsqueeze(-2).astype(A.dtype))
    return _SignAndLogarithm(sign, logarithm + sizes.log().sum(-1))


def logdet(input):
    sign, log = slogdet(input)
    if input.is_complex():
        return paddle.log(sign) + log
    return paddle.where(sign < 0, paddle.full_like(log, float("nan")), log)


_methods(slogdet=slogdet, logdet=logdet)
