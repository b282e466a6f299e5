import collections
import math

import paddle

from .computing import _of_itself
from .torchs_meaning import _torch


class _LinAlgError(RuntimeError):
    """What torch's linalg functions raise."""


def _check_pivots(info, name):
    """Refuse factors of a matrix without an inverse: `info` has the place of the first zero of each U, from one."""
    failed = [(at, each) for at, each in enumerate(info.flatten().tolist()) if each]
    if failed:
        at, place = failed[0]
        of_batch = f"(Batch element {at}): " if info.ndim else ""
        raise RuntimeError(
            f"torch.linalg.{name}: {of_batch}U[{place},{place}] is zero and using it on lu_solve would result in a division "
            "by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
            "linalg.lu_factor_ex(A, pivot)"
        )


def _factored(A, pivot):
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    return paddle.linalg.lu(A, get_infos=True)


def linalg_lu_factor(A, *, pivot=True):
    *made, info = _factored(A, pivot)
    _check_pivots(info, "lu_factor")
    return collections.namedtuple("linalg_lu_factor", "LU pivots")(*made)


def linalg_lu_factor_ex(A, *, pivot=True, check_errors=False):
    made = _factored(A, pivot)
    if check_errors:
        _check_pivots(made[2], "lu_factor_ex")
    return collections.namedtuple("linalg_lu_factor_ex", "LU pivots info")(*made)


_INVERSION = "The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular."
_FACTORIZATION = """\
The factorization could not be completed because the input is not positive-definite (the leading minor of order {} is not \
positive-definite)."""
_WHY_NOT = {  # by torch's name of what is done
    "linalg.inv": _INVERSION, "linalg.inv_ex": _INVERSION, "inverse": _INVERSION,
    "linalg.cholesky": _FACTORIZATION, "linalg.cholesky_ex": _FACTORIZATION,
    "torch.linalg.solve": "The solver failed because the input matrix is singular.",
    "torch.linalg.solve_ex": "The solver failed because the input matrix is singular.",
}  # fmt: skip


def _places_of_zeros(A):
    """For each matrix the place of the first zero on the diagonal of its U, from one; 0 where it has an inverse."""
    return paddle.linalg.lu(A.detach(), get_infos=True)[2]


def _error_of(name, info):
    """The error for the first matrix that failed: `info` has zeros for those that did not."""
    at, place = next((each for each in enumerate(info.flatten().tolist()) if each[1]), (0, 1))
    of_batch = f"(Batch element {at}): " if info.ndim else ""
    return _LinAlgError(f"{name}: {of_batch}{_WHY_NOT[name].format(place)}")


def _without_singular(A, info):
    """The matrices, in the place of those that failed the identity, and for each whether it failed."""
    failed = (info != 0).unsqueeze(-1).unsqueeze(-1)
    return paddle.where(failed, paddle.eye(A.shape[-1], dtype=A.dtype), A), failed


def linalg_inv_ex(A, *, check_errors=False):
    info = _places_of_zeros(A)
    safe, failed = _without_singular(A, info)
    if failed.any():
        if check_errors:
            raise _error_of("linalg.inv_ex", info)
        inverse = paddle.where(failed, paddle.full([], float("nan"), A.dtype), paddle.linalg.inv(safe))
    else:
        inverse = paddle.linalg.inv(A)
    return collections.namedtuple("linalg_inv_ex", "inverse info")(inverse, info)


def _svd(A, full_matrices):
    """Paddle's, of complex matrices one by one where it has to know a gradient: that of several is wrong."""
    if not A.size:
        u, values, vh = paddle.linalg.svd(A.detach(), False)
        if full_matrices:  # Paddle leaves the memory of the vectors as it was
            u, vh = (paddle.eye(n, dtype=A.dtype).expand([*A.shape[:-2], n, n]) for n in A.shape[-2:])
        nothing = 0 * A.sum()
        return u + nothing, values + (paddle.real(nothing) if A.is_complex() else nothing), vh + nothing
    if not A.is_complex() or A.ndim == 2 or A.stop_gradient or not paddle.is_grad_enabled():
        return paddle.linalg.svd(A, full_matrices)
    parts = [paddle.linalg.svd(each, full_matrices) for each in A.flatten(0, -3)]
    return tuple(
        paddle.stack(part).reshape([*A.shape[:-2], *part[0].shape]) for part in zip(*parts, strict=True)
    )


def _not_positive(matrix):
    """The order of the first minor that is not positive-definite, 0 if none."""
    for order in range(1, matrix.shape[-1] + 1):
        try:
            paddle.linalg.cholesky(matrix[:order, :order])
        except (ValueError, RuntimeError):
            return order
    return 0


def linalg_vander(x, N=None):
    powers = paddle.arange(x.shape[-1] if N is None else N)
    return _of_itself(lambda base: base.unsqueeze(-1) ** powers.astype(base.dtype), x)


def linalg_tensorinv(A, ind=2):
    first, rest = list(A.shape[:ind]), list(A.shape[ind:])
    return _torch("linalg.inv")(A.reshape([math.prod(first), -1])).reshape([*rest, *first])


def linalg_tensorsolve(A, B, dims=None):
    if dims is not None:
        kept = [dim for dim in range(A.ndim) if dim not in [each % A.ndim for each in dims]]
        A = A.transpose([*kept, *(each % A.ndim for each in dims)])
    made = _torch("linalg.solve")(A.reshape([B.size, -1]), B.flatten().unsqueeze(-1))
    return made.reshape(A.shape[B.ndim :])
