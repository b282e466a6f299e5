import collections

import paddle

from .computing import _applied, _of_itself, _writing
from .linear_algebra import _svd
from .pointwise import conj_physical
from .return_types import return_types_aminmax
from .shapes_and_indices import adjoint
from .torchs_meaning import _torch


def _added(input, product, beta, alpha):
    if product.is_integer():
        beta, alpha = int(beta), int(alpha)
    return alpha * product + (beta * input if beta else 0)


def addmv(input, mat, vec, *, beta=1, alpha=1):
    return _applied(
        lambda x, y, z: _added(x, (y * z).sum(-1), beta, alpha), input.dtype, input, mat, vec
    )


addmv_ = _writing(addmv)


def vdot(input, other):
    return _applied(lambda x, y: (conj_physical(x) * y).sum(), input.dtype, input, other)


def aminmax(input, *, dim=None, keepdim=False):
    ends = (_of_itself(lambda x: f(x, dim, keepdim), input) for f in (paddle.amin, paddle.amax))
    return return_types_aminmax(tuple(ends))


def histc(input, bins=100, min=0, max=0):
    return _of_itself(lambda x: paddle.histogram(x, bins, min, max).astype(x.dtype), input)


def matrix_exp(input):
    return paddle.linalg.matrix_exp(input)


def svd(input, some=True, compute_uv=True):
    u, s, vh = _svd(input, not some)
    if not compute_uv:
        u, vh = paddle.zeros_like(u), paddle.zeros_like(vh)
    return collections.namedtuple("svd", "U S V")(u, s, adjoint(vh))


def torch_matrix_power(input, n):
    return paddle.linalg.matrix_power(input, n)


def torch_triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    made = _torch("linalg.solve_triangular")(
        adjoint(A).conj() if transpose else A, b, upper=bool(upper) != bool(transpose), unitriangular=unitriangular
    )
    return collections.namedtuple("triangular_solve", "solution cloned_coefficient")(
        made, A.clone()
    )


Tensor_triangular_solve = torch_triangular_solve
