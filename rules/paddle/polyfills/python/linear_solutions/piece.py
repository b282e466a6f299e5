import paddle

from .computing import _with_gradients_of_all
from .errors_of_linear_algebra import _raising_torchs


def _in_real_numbers(matrix):
    """A complex matrix as a real one of twice the size, of the same products."""
    real, imaginary = matrix.as_real().unbind(-1)
    above, below = paddle.concat([real, -imaginary], -1), paddle.concat([imaginary, real], -1)
    return paddle.concat([above, below], -2)


def _solution(A, B):
    if not A.is_complex():
        return paddle.linalg.solve(*_with_gradients_of_all(A, B))
    parts = paddle.concat(B.as_real().unbind(-1), -2)
    operands = _with_gradients_of_all(_in_real_numbers(A), parts)
    return paddle.complex(*paddle.linalg.solve(*operands).chunk(2, -2))


@_raising_torchs
def solve(A, B, *, left=True):
    """What gives B when A is multiplied with it: of vectors where B is one for each matrix."""
    vectors = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    if vectors:
        return solve(A, B.unsqueeze(-1), left=True).squeeze(-1)
    if not left:
        return solve(A.mT, B.mT).mT
    batch = paddle.broadcast_shape(A.shape[:-2], B.shape[:-2])
    if 0 in (*batch, *B.shape[-2:]):
        return paddle.zeros([*batch, *B.shape[-2:]], dtype=A.dtype) + 0 * A.sum() + 0 * B.sum()
    return _solution(A.expand([*batch, *A.shape[-2:]]), B.expand([*batch, *B.shape[-2:]]))
