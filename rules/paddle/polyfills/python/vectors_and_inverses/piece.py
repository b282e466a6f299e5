import paddle

from .pointwise import conj_physical


def vecdot(x, y, *, dim=-1):
    return (conj_physical(x) * y).sum(dim)


class _Pseudoinverse(paddle.autograd.PyLayer):
    """The inverse, with its gradient where the rank stays as it is: that of svd is none of complex
    or singular matrices."""

    @staticmethod
    def forward(ctx, A, relative, atol, hermitian):
        made = _inverse(_mirrored(A) if hermitian else A, relative, atol)
        ctx.save_for_backward(A, made)
        return made

    @staticmethod
    def backward(ctx, grad):
        A, made = ctx.saved_tensor()
        adjoint, turned = conj_physical(made.mT), conj_physical(grad.mT)
        rows, columns = (paddle.eye(length, dtype=A.dtype) for length in A.shape[-2:])
        inside = adjoint @ grad @ adjoint
        return (
            (rows - A @ made) @ turned @ (made @ adjoint)
            + (adjoint @ made) @ turned @ (columns - made @ A)
            - inside
        )


def _mirrored(A):
    """A hermitian matrix by what is below its diagonal; what is above it is not looked at."""
    lower, middle = paddle.tril(A, -1), A * paddle.eye(A.shape[-1], dtype=A.dtype)
    return lower + conj_physical(lower.mT) + (middle + conj_physical(middle)) / 2


def _inverse(A, relative, atol):
    left, values, right = paddle.linalg.svd(A, full_matrices=False)
    if relative is None:
        relative = 0 if atol is not None else max(A.shape[-2:]) * paddle.finfo(values.dtype).eps
    bound = _column(relative) * values.max(-1, keepdim=True)
    if atol is not None:
        bound = paddle.maximum(bound, paddle.zeros_like(bound) + _column(atol))
    kept = values > bound
    inverse = paddle.where(kept, 1 / paddle.where(kept, values, paddle.ones_like(values)), 0 * values)
    return (conj_physical(right.mT) * inverse.unsqueeze(-2)) @ conj_physical(left.mT)


def pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None):
    """The pseudoinverse, without the singular values up to max(atol, rtol * the largest)."""
    if not A.size:
        return A.mT.clone()
    relative = rcond if rtol is None else rtol
    return _Pseudoinverse.apply(A, relative, atol, hermitian)


def _column(value):
    return value.unsqueeze(-1) if isinstance(value, paddle.Tensor) and value.ndim else value
