import collections
import functools

import paddle

from .errors_of_linear_algebra import _raising_torchs
from .linear_algebra import _error_of, _not_positive, _places_of_zeros, _svd, _without_singular
from .linear_solutions import solve
from .methods_of_tensors import _methods
from .pointwise import conj_physical
from .rounded_steps import _by_formula
from .vectors_and_inverses import pinv


def _adjoint(matrix):
    return conj_physical(matrix.mT)


def _identity(like, order):
    return paddle.eye(order, dtype=like.dtype).expand([*like.shape[:-2], order, order])


def _of_triangular(r, grad, made, matrix, right, *, upper, unitriangular):
    right = _triangular(_adjoint(matrix), grad, not upper, unitriangular)
    part, offset = (paddle.triu, int(unitriangular)) if upper else (paddle.tril, -int(unitriangular))
    return -part(right @ _adjoint(made), offset), right


def _triangular(matrix, right, upper, unitriangular):
    """The solution with a triangular matrix, with a gradient of both operands."""

    def solution(matrix, right):
        return paddle.linalg.triangular_solve(matrix, right, upper, False, unitriangular)

    slopes = functools.partial(_of_triangular, upper=upper, unitriangular=unitriangular)
    return _by_formula(solution, slopes, matrix, right)


def _triangular_solution(A, B, upper, unitriangular=False):
    batch = paddle.broadcast_shape(A.shape[:-2], B.shape[:-2])
    A, B = (each.expand([*batch, *each.shape[-2:]]) for each in (A, B))
    if 0 in (*A.shape, *B.shape):
        return B + 0 * A.sum()
    return _triangular(A, B, bool(upper), bool(unitriangular))


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    if not left:
        return _triangular_solution(A.mT, B.mT, not upper, unitriangular).mT
    return _triangular_solution(A, B, upper, unitriangular)


def _exchanged_rows(pivots, order):
    """The rows in the order that the exchanges of a factorization leave, counted from 1."""
    rows = paddle.arange(order).expand([*pivots.shape[:-1], order])
    for at in range(pivots.shape[-1]):
        other = pivots[..., at : at + 1].astype(rows.dtype) - 1
        here = paddle.full_like(other, at)
        moved = paddle.take_along_axis(rows, other, -1), paddle.take_along_axis(rows, here, -1)
        rows = paddle.put_along_axis(rows, here, moved[0], -1)
        rows = paddle.put_along_axis(rows, other, moved[1], -1)
    return rows


def _permuting(pivots, order, dtype):
    rows = _exchanged_rows(pivots, order)
    return (rows.unsqueeze(-2) == paddle.arange(order).unsqueeze(-1)).astype(dtype)


def _both_factors(data):
    order = min(data.shape[-2:])
    lower = paddle.tril(data[..., :order], -1)
    eye = paddle.eye(data.shape[-2], order, dtype=data.dtype)
    return lower + eye, paddle.triu(data[..., :order, :])


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    made = collections.namedtuple("lu_unpack", "P L U")
    none = paddle.empty([0], dtype=LU_data.dtype)
    lower, upper = _both_factors(LU_data) if unpack_data else (none, none)
    order = LU_data.shape[-2]
    return made(_permuting(LU_pivots, order, LU_data.dtype) if unpack_pivots else none, lower, upper)


def linalg_lu(A, *, pivot=True):
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    return collections.namedtuple("linalg_lu", "P L U")(*lu_unpack(*paddle.linalg.lu(A)))


def torch_lu(A, pivot=True, get_infos=False, out=None):
    return tuple(paddle.linalg.lu(A, pivot, get_infos))


def linalg_lu_solve(LU, pivots, B, *, left=True, adjoint=False):
    if not left:
        return _adjoint(linalg_lu_solve(LU, pivots, _adjoint(B), adjoint=not adjoint))
    if not (LU.size and B.size):
        batch = paddle.broadcast_shape(LU.shape[:-2], B.shape[:-2])
        none = paddle.zeros([*batch, *B.shape[-2:]], dtype=B.dtype)
        return none + 0 * LU.sum() + 0 * B.sum()
    order = _permuting(pivots, LU.shape[-2], LU.dtype)
    if adjoint:
        half = _triangular_solution(_adjoint(LU), B, False)
        return order @ _triangular_solution(_adjoint(LU), half, True, True)
    half = _triangular_solution(LU, order.mT @ B, False, True)
    return _triangular_solution(LU, half, True)


def torch_lu_solve(b, LU_data, LU_pivots):
    return linalg_lu_solve(LU_data, LU_pivots, b)


def _reflected(vectors, scales, matrix, backwards):
    """A matrix after the reflections that a factorization is made of, or after their adjoints."""
    vectors = paddle.tril(vectors, -1) + paddle.eye(*vectors.shape[-2:], dtype=vectors.dtype)
    count = scales.shape[-1]
    for at in reversed(range(count)) if backwards else range(count):
        scale = scales[..., at : at + 1].unsqueeze(-1)
        vector = vectors[..., at : at + 1]
        along = _adjoint(vector) @ matrix
        matrix = matrix - (scale if backwards else conj_physical(scale)) * (vector @ along)
    return matrix


def ormqr(input, tau, other, left=True, transpose=False):
    if left:
        return _reflected(input, tau, other, not transpose)
    return _adjoint(_reflected(input, tau, _adjoint(other), bool(transpose)))


def householder_product(A, tau):
    rows, columns = A.shape[-2:]
    start = paddle.eye(rows, columns, dtype=A.dtype).expand(A.shape)
    return _reflected(A, tau, start, True) if A.size else A.clone()


def _reflection(column):
    """What makes a column a multiple of the first unit vector: the multiple, scale and vector."""
    first, rest = column[..., :1, :], column[..., 1:, :]
    real = paddle.real(first) if first.is_complex() else first
    length = (column.abs() ** 2).sum(-2, keepdim=True).sqrt()
    top = paddle.where(real > 0, -length, length)
    still = (rest.abs().sum(-2, keepdim=True) == 0) & (real.astype(first.dtype) == first)
    safe = paddle.where(still, paddle.ones_like(top), top).astype(first.dtype)
    scale = paddle.where(still, paddle.zeros_like(first), (safe - first) / safe)
    vector = rest / paddle.where(still, paddle.ones_like(first), first - safe)
    return paddle.where(still, first, top.astype(first.dtype)), scale, vector


def geqrf(input):
    """The factorization into reflections and a triangle, in one matrix, and the scales."""
    made = collections.namedtuple("geqrf", "a tau")
    with paddle.no_grad():
        matrix, scales, count = input.clone(), [], min(input.shape[-2:])
        for at in range(count if input.size else 0):
            top, scale, vector = _reflection(matrix[..., at:, at : at + 1])
            unit = paddle.concat([paddle.ones_like(top), vector], -2)
            rest = matrix[..., at:, at + 1 :]
            if rest.size:
                rest = rest - conj_physical(scale) * (unit @ (_adjoint(unit) @ rest))
            column = paddle.concat([top, vector], -2)
            below = paddle.concat([column, rest], -1) if rest.size else column
            left, above = matrix[..., at:, :at], matrix[..., :at, :]
            below = paddle.concat([left, below], -1) if at else below
            matrix = paddle.concat([above, below], -2) if at else below
            scales.append(scale.squeeze(-1))
        shape = [*input.shape[:-2], count]
        return made(matrix, paddle.concat(scales, -1) if scales else paddle.zeros(shape, dtype=input.dtype))


class _Factored(paddle.autograd.PyLayer):
    """Paddle's factors, with the gradients of wide matrices, and of one factor alone."""

    @staticmethod
    def forward(ctx, matrix, mode):
        made = paddle.linalg.qr(matrix, mode)
        ctx.save_for_backward(matrix, *made)
        return tuple(made)

    @staticmethod
    def backward(ctx, of_q, of_r):
        matrix, q, r = ctx.saved_tensor()
        rows, columns = matrix.shape[-2:]
        of_q = paddle.zeros_like(q) if of_q is None else of_q
        of_r = paddle.zeros_like(r) if of_r is None else of_r
        if rows > columns and q.shape[-1] > columns:
            raise RuntimeError(
                "The QR decomposition is not differentiable when mode='complete' and nrows > ncols"
            )
        wide = of_r[..., rows:]
        if columns > rows:
            of_q = of_q + matrix[..., rows:] @ _adjoint(wide)
        square, of_square = r[..., :rows], of_r[..., :rows]
        inner = paddle.triu(of_square @ _adjoint(square) - _adjoint(q) @ of_q)
        whole = inner + _adjoint(inner)
        diagonal = paddle.eye(whole.shape[-1], dtype=whole.dtype)
        made = of_q + q @ (whole - 0.5 * diagonal * whole)
        made = _adjoint(paddle.linalg.triangular_solve(square, _adjoint(made), True))
        return paddle.concat([made, q @ wide], -1) if columns > rows else made


_Q_AND_R = collections.namedtuple("qr", "Q R")  # type: ignore[name-match]


def qr(A, mode="reduced"):
    if mode == "r":
        return _Q_AND_R(paddle.empty([0], dtype=A.dtype), paddle.linalg.qr(A, mode))
    if not A.size:
        return _Q_AND_R(*(each + 0 * A.sum() for each in paddle.linalg.qr(A.detach(), mode)))
    return _Q_AND_R(*_Factored.apply(A, mode))


def torch_qr(input, some=True):
    return qr(input, "reduced" if some else "complete")


def _two_by_two(matrix):
    """A complex matrix as a real one of blocks of four, of the same products."""
    real, imaginary = matrix.as_real().unbind(-1)
    rows = paddle.stack([paddle.stack([real, -imaginary], -1), paddle.stack([imaginary, real], -1)], -3)
    return rows.reshape([*matrix.shape[:-2], 2 * matrix.shape[-2], 2 * matrix.shape[-1]])


def _factor(matrix):
    """The triangle whose product with its adjoint a matrix is, of which the lower part is read."""
    if not matrix.size:
        return matrix.clone()
    if not matrix.is_complex():
        return paddle.linalg.cholesky(matrix, False)
    middle = 0.5 * paddle.eye(matrix.shape[-1], dtype=matrix.dtype) * matrix
    lower = paddle.tril(matrix, -1) + middle
    made = paddle.linalg.cholesky(_two_by_two(lower + _adjoint(lower)), False)
    return paddle.complex(made[..., ::2, ::2], made[..., 1::2, ::2])


class _Triangle(paddle.autograd.PyLayer):
    """The factor of a complex matrix, with torch's gradient: whose diagonal is not made real."""

    @staticmethod
    def forward(ctx, matrix, upper):
        lower = _factor(_adjoint(matrix) if upper else matrix)
        factor = _adjoint(lower) if upper else lower
        ctx.save_for_backward(factor)  # what is given back: the gradient is one of it, too
        ctx.upper = upper
        return factor

    @staticmethod
    def backward(ctx, grad):
        (factor,) = ctx.saved_tensor()
        lower = _adjoint(factor) if ctx.upper else factor
        inner = paddle.tril(_adjoint(lower) @ (_adjoint(grad) if ctx.upper else grad))
        inner = 0.5 * (inner + _adjoint(paddle.tril(inner, -1)))
        inner = paddle.linalg.triangular_solve(_adjoint(lower), inner, True)
        return _adjoint(paddle.linalg.triangular_solve(_adjoint(lower), _adjoint(inner), True))


@_raising_torchs
def cholesky(A, *, upper=False):
    if A.is_complex() and A.size:
        return _Triangle.apply(A, upper)
    return _adjoint(_factor(_adjoint(A))) if upper else _factor(A)


orgqr = householder_product


def _cholesky(input, upper=False):
    return cholesky(input, upper=upper)


torch_cholesky = _cholesky


def cholesky_ex(A, *, upper=False, check_errors=False):
    made = collections.namedtuple("linalg_cholesky_ex", "L info")
    flat = A.detach().reshape([-1, *A.shape[-2:]]) if A.size else []
    minors = [_not_positive(_two_by_two(each) if A.is_complex() else each) for each in flat]
    minors = [-(-each // 2) for each in minors] if A.is_complex() else minors
    info = paddle.to_tensor(minors, dtype="int32").reshape(A.shape[:-2]) if A.size else paddle.zeros(A.shape[:-2], "int32")
    failed = (info != 0).unsqueeze(-1).unsqueeze(-1)
    if check_errors and failed.any():
        raise _error_of("linalg.cholesky_ex", info)
    safe = paddle.where(failed, paddle.eye(A.shape[-1], dtype=A.dtype), A) if A.size else A
    return made(cholesky(safe, upper=upper), info)


def cholesky_inverse(L, upper=False):
    factor = _adjoint(paddle.triu(L)) if upper else paddle.tril(L)
    inverse = _triangular_solution(factor, _identity(factor, L.shape[-1]), False)
    return _adjoint(inverse) @ inverse


def _of_factor(r, grad, made, right, factor, *, upper):
    right = _by_factor(grad, factor, upper)
    both = right @ _adjoint(made)
    both = both + _adjoint(both)
    return right, -(factor @ both) if upper else -(both @ factor)


def _by_factor(right, factor, upper):
    """The solution by the factor of a matrix; torch gives all elements of the factor a gradient."""

    def solution(right, factor):
        lower = _adjoint(factor) if upper else factor
        half = paddle.linalg.triangular_solve(lower, right, False)
        return paddle.linalg.triangular_solve(_adjoint(lower), half, True)

    return _by_formula(solution, functools.partial(_of_factor, upper=upper), right, factor)


def cholesky_solve(B, L, upper=False):
    batch = paddle.broadcast_shape(B.shape[:-2], L.shape[:-2])
    B, L = (each.expand([*batch, *each.shape[-2:]]) for each in (B, L))
    return _by_factor(B, L, bool(upper)) if B.size and L.size else B + 0 * L.sum()


def svdvals(A, *, driver=None):
    return _svd(A, False)[1]


def _is_one_by_one(A, B):
    return B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])


def lstsq(A, B, rcond=None, *, driver=None):
    """The solution of the smallest length, by the pseudoinverse, with a gradient."""
    made = collections.namedtuple("linalg_lstsq", "solution residuals rank singular_values")
    single = _is_one_by_one(A, B)
    right = B.unsqueeze(-1) if single else B
    rows, columns = A.shape[-2:]
    small = max(rows, columns) * paddle.finfo(A.dtype).eps if rcond is None else rcond
    solution = pinv(A, rtol=small) @ right
    values = svdvals(A.detach())
    rank = (values > small * values.max(-1, keepdim=True)).sum(-1)
    none = paddle.empty([0], dtype=values.dtype)
    residuals = none
    if rows > columns and driver != "gelsy" and (driver in (None, "gels") or bool((rank == columns).all())):
        away = A @ solution - right
        residuals = (away.abs() ** 2).sum(-2)
    known = driver in ("gelsd", "gelss")
    rank = rank if driver != "gels" else paddle.empty([0], dtype="int64")
    return made(solution.squeeze(-1) if single else solution, residuals, rank, values if known else none)


def pinverse(input, rcond=1e-15):
    return pinv(input, rcond)


def solve_ex(A, B, *, left=True, check_errors=False):
    made = collections.namedtuple("linalg_solve_ex", "result info")
    info = _places_of_zeros(A) if A.size else paddle.zeros(A.shape[:-2], dtype="int32")
    if not info.any():
        return made(solve(A, B, left=left), info)
    if check_errors:
        raise _error_of("torch.linalg.solve_ex", info)
    safe, failed = _without_singular(A, info)
    solution = solve(safe, B, left=left)
    if solution.ndim < max(A.ndim, B.ndim) or B.ndim == 1:  # of vectors
        failed = failed.squeeze(-1)
    return made(paddle.where(failed, paddle.full([], float("nan"), A.dtype), solution), info)


_methods(
    cholesky=_cholesky,
    cholesky_inverse=cholesky_inverse,
    cholesky_solve=cholesky_solve,
    orgqr=householder_product,
    geqrf=geqrf,
    lu=torch_lu,
    lu_solve=torch_lu_solve,
    ormqr=ormqr,
    pinverse=pinverse,
    qr=torch_qr,
)
