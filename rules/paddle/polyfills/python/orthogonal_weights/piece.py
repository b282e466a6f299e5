import enum

import paddle

from .computing import _is_zero
from .torchs_meaning import _tensor_method, _torch


class _OrthMaps(enum.Enum):
    matrix_exp = enum.auto()
    cayley = enum.auto()
    householder = enum.auto()


def _is_orthogonal(Q, eps=None):
    n, k = Q.shape[-2:]
    eps = 10.0 * n * _torch("finfo")(Q.dtype).eps if eps is None else eps
    product = _torch("matmul")(_tensor_method("mH").__get__(Q), Q)
    return bool((product - paddle.eye(k, dtype=Q.dtype)).abs().max() <= eps)


def _make_orthogonal(A):
    """The orthogonal factor of a tall matrix, with a triangular one whose diagonal is positive."""
    X, tau = _torch("geqrf")(A)
    Q = _torch("linalg.householder_product")(X, tau)
    return Q * _torch("sgn")(X.diagonal(axis1=-2, axis2=-1)).unsqueeze(-2)


def _turned_over(matrix):
    return matrix.transpose([*range(matrix.ndim - 2), matrix.ndim - 1, matrix.ndim - 2])


class _Orthogonal(paddle.nn.Layer):
    """A parametrization of matrices with orthonormal columns, or rows where they are wide."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map is _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X):
        wide = X.shape[-2] < X.shape[-1]
        X = _turned_over(X) if wide else X
        Q = self._by_householder(X) if self.orthogonal_map is _OrthMaps.householder else self._by_skew_matrix(X)
        if hasattr(self, "base"):
            Q = _torch("matmul")(self.base, Q)
        return _turned_over(Q) if wide else Q

    def _by_skew_matrix(self, X):
        n, k = X.shape[-2:]
        if n != k:
            X = paddle.concat([X, paddle.zeros([*X.shape[:-1], n - k], X.dtype)], -1)
        A = X.tril()
        A = A - _turned_over(A.conj() if A.is_complex() else A)
        if self.orthogonal_map is _OrthMaps.matrix_exp:
            Q = _torch("linalg.matrix_exp")(A)
        else:
            one = paddle.eye(n, dtype=A.dtype)
            Q = _torch("linalg.solve")(one - A / 2, one + A / 2)
        return Q[..., :k] if n != k else Q

    def _by_householder(self, X):
        A = X.tril(-1)
        Q = _torch("linalg.householder_product")(A, 2.0 / (1.0 + (A * A).sum(-2)))
        return Q * X.diagonal(axis1=-2, axis2=-1).astype("int32").astype(Q.dtype).unsqueeze(-2)

    @paddle.no_grad()
    def right_inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        wide = Q.shape[-2] < Q.shape[-1]
        given = _turned_over(Q) if wide else Q
        n, k = given.shape[-2:]
        if not hasattr(self, "base"):
            if self.orthogonal_map is not _OrthMaps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                    "use_trivialization=False."
                )
            return self._reflections_of(given, wide)
        if n == k:
            self.base = given.clone() if _is_orthogonal(given) else _make_orthogonal(given)
        else:
            rest = _torch("randn")(*given.shape[:-1], n - k, dtype=given.dtype)
            self.base = _make_orthogonal(paddle.concat([given, rest], -1))
        one = paddle.eye(given.shape[-2], given.shape[-1], dtype=given.dtype).expand(given.shape)
        return _turned_over(-one) if wide else -one

    def _reflections_of(self, Q, wide):
        """What gives Q by reflections, with signs on the diagonal."""
        A, tau = _torch("geqrf")(Q)
        diagonal = A.diagonal(axis1=-2, axis2=-1)
        signs = paddle.where(_is_zero(tau), -diagonal.sign(), diagonal.sign())
        on_diagonal = paddle.eye(*A.shape[-2:]) > 0
        A = paddle.where(on_diagonal.expand(A.shape), signs.unsqueeze(-2).expand(A.shape), A)
        return _turned_over(A) if wide else A


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Compute a parameter of a module as a matrix with orthonormal columns, or rows where it is wide."""
    weight = getattr(module, name, None)
    if not isinstance(weight, paddle.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in _OrthMaps.__members__:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    kind = _Orthogonal(weight, _OrthMaps[orthogonal_map], use_trivialization=use_trivialization)
    _torch("nn.utils.parametrize.register_parametrization")(module, name, kind, unsafe=True)
    return module
