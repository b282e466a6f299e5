import math

import paddle

from .methods_of_tensors import _method, _methods

_paddle_to_dense = _method("to_dense")


def _to_dense(self, dtype=None, *, masked_grad=None):
    """Entries at one place are added up, where Paddle takes one of them."""
    if not self.is_sparse_coo():
        dense = self if self.is_dense() else _paddle_to_dense(self)
    else:
        indices, values, shape = self.indices(), self.values(), list(self.shape)
        place, length = paddle.zeros([indices.shape[1]], dtype=indices.dtype), len(indices)
        for row, size in zip(indices, shape):
            place = place * size + row
        dense = paddle.zeros([math.prod(shape[:length]), *values.shape[1:]], dtype=values.dtype)
        dense = dense.index_add(place, 0, values).reshape(shape)
    return dense if dtype is None else dense.astype(dtype)


_methods(
    _indices=lambda self: self.indices(),
    _values=lambda self: self.values(),
    _nnz=lambda self: self.nnz(),
    crow_indices=lambda self: self.crows(),
    col_indices=lambda self: self.cols(),
    to_dense=_to_dense,
    to_sparse=lambda self, sparse_dim=None: self.to_sparse_coo(sparse_dim or self.ndim),
)
