import collections
import math

import paddle

from .computing import _of_itself


class _LinAlgError(RuntimeError):
    """What torch's linalg functions raise."""


def linalg_solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    if not left:
        return linalg_solve_triangular(A.mT, B.mT, upper=not upper, unitriangular=unitriangular).mT
    return paddle.linalg.triangular_solve(A, B, upper, False, unitriangular)


def linalg_lu_factor(A, *, pivot=True):
    return collections.namedtuple("linalg_lu_factor", "LU pivots")(*paddle.linalg.lu(A, pivot))


def linalg_lu_factor_ex(A, *, pivot=True, check_errors=False):
    made = paddle.linalg.lu(A, pivot, get_infos=True)
    return collections.namedtuple("linalg_lu_factor_ex", "LU pivots info")(*made)


def linalg_inv_ex(A, *, check_errors=False):
    info = paddle.linalg.lu(A.detach(), get_infos=True)[2]
    failed = (info != 0).unsqueeze(-1).unsqueeze(-1)
    if check_errors and failed.any():
        raise _LinAlgError(
            "linalg.inv: The diagonal element is zero, the inversion could not be completed because the input matrix is singular."
        )
    inverse = paddle.linalg.inv(paddle.where(failed, paddle.eye(A.shape[-1], dtype=A.dtype), A))
    return collections.namedtuple("linalg_inv_ex", "inverse info")(inverse, info)


def _not_positive(matrix):
    """The order of the first minor that is not positive-definite, 0 if none."""
    for order in range(1, matrix.shape[-1] + 1):
        try:
            paddle.linalg.cholesky(matrix[:order, :order])
        except (ValueError, RuntimeError):
            return order
    return 0


def linalg_cholesky_ex(A, *, upper=False, check_errors=False):
    flat = A.detach().reshape([-1, *A.shape[-2:]])
    info = paddle.to_tensor([_not_positive(each) for each in flat], dtype="int32")
    info = info.reshape(A.shape[:-2])
    failed = (info != 0).unsqueeze(-1).unsqueeze(-1)
    if check_errors and failed.any():
        raise _LinAlgError(
            "linalg.cholesky: The factorization could not be completed because the input is not positive-definite."
        )
    safe = paddle.where(failed, paddle.eye(A.shape[-1], dtype=A.dtype), A)
    return collections.namedtuple("linalg_cholesky_ex", "L info")(
        paddle.linalg.cholesky(safe, upper), info
    )


def linalg_vander(x, N=None):
    powers = paddle.arange(x.shape[-1] if N is None else N)
    return _of_itself(lambda base: base.unsqueeze(-1) ** powers.astype(base.dtype), x)


def linalg_tensorinv(A, ind=2):
    first, rest = list(A.shape[:ind]), list(A.shape[ind:])
    return paddle.linalg.inv(A.reshape([math.prod(first), -1])).reshape([*rest, *first])


def linalg_tensorsolve(A, B, dims=None):
    if dims is not None:
        kept = [dim for dim in range(A.ndim) if dim not in [each % A.ndim for each in dims]]
        A = A.transpose([*kept, *(each % A.ndim for each in dims)])
    made = paddle.linalg.solve(A.reshape([B.size, -1]), B.flatten().unsqueeze(-1))
    return made.reshape(A.shape[B.ndim :])
