import collections

import paddle

from .computing import _applied, _of_itself, _writing
from .pointwise import conj_physical
from .shapes_and_indices import adjoint


def _added(input, product, beta, alpha):
    return alpha * product + (beta * input if beta else 0)


def addmv(input, mat, vec, *, beta=1, alpha=1):
    return _applied(
        lambda x, y, z: _added(x, (y * z).sum(-1), beta, alpha), input.dtype, input, mat, vec
    )


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    return _applied(
        lambda x, y, z: _added(x, y.unsqueeze(1) * z, beta, alpha), input.dtype, input, vec1, vec2
    )


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return _applied(
        lambda x, y, z: _added(x, paddle.bmm(y, z).sum(0), beta, alpha),
        input.dtype,
        input,
        batch1,
        batch2,
    )


addmv_ = _writing(addmv)
Tensor_addr_ = _writing(addr)
Tensor_addbmm_ = _writing(addbmm)


def vdot(input, other):
    return _applied(lambda x, y: (conj_physical(x) * y).sum(), input.dtype, input, other)


def aminmax(input, *, dim=None, keepdim=False):
    made = collections.namedtuple("aminmax", "min max")
    return made(
        *(_of_itself(lambda x: f(x, dim, keepdim), input) for f in (paddle.amin, paddle.amax))
    )


def histc(input, bins=100, min=0, max=0):
    return _of_itself(lambda x: paddle.histogram(x, bins, min, max).astype(x.dtype), input)


def _slogdet(matrix):
    return paddle.linalg.slogdet(matrix).unbind(0)


def logdet(input):
    sign, log = _slogdet(input)
    return paddle.where(sign < 0, paddle.full_like(log, float("nan")), log)


def torch_slogdet(input):
    return collections.namedtuple("slogdet", "sign logabsdet")(*_slogdet(input))


def matrix_exp(input):
    return paddle.linalg.matrix_exp(input)


def svd(input, some=True, compute_uv=True):
    u, s, vh = paddle.linalg.svd(input, full_matrices=not some)
    if not compute_uv:
        u, vh = paddle.zeros_like(u), paddle.zeros_like(vh)
    return collections.namedtuple("svd", "U S V")(u, s, adjoint(vh))


def torch_matrix_power(input, n):
    return paddle.linalg.matrix_power(input, n)


def torch_cholesky_solve(B, L, upper=False):
    return paddle.linalg.cholesky_solve(B, L, upper)


def torch_cholesky_inverse(L, upper=False):
    return paddle.linalg.cholesky_inverse(L, upper)


def torch_qr(input, some=True):
    made = paddle.linalg.qr(input, "reduced" if some else "complete")
    return collections.namedtuple("qr", "Q R")(*made)


def torch_cov(input, *, correction=1, fweights=None, aweights=None):
    if correction not in (0, 1):
        raise NotImplementedError("torch.cov under Paddle takes a correction of 0 or 1")
    return paddle.linalg.cov(input, True, bool(correction), fweights, aweights)


def torch_corrcoef(input):
    return paddle.linalg.corrcoef(input)


def torch_triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    made = paddle.linalg.triangular_solve(A, b, upper, transpose, unitriangular)
    return collections.namedtuple("triangular_solve", "solution cloned_coefficient")(
        made, A.clone()
    )


Tensor_triangular_solve = torch_triangular_solve


def torch_orgqr(input, input2):
    return paddle.linalg.householder_product(input, input2)


Tensor_orgqr = torch_orgqr


def torch_lu_solve(b, LU_data, LU_pivots):
    permutation, lower, upper = paddle.linalg.lu_unpack(LU_data, LU_pivots)
    half = paddle.linalg.triangular_solve(
        lower, permutation.mT @ b, upper=False, unitriangular=True
    )
    return paddle.linalg.triangular_solve(upper, half)


Tensor_lu_solve = torch_lu_solve
