import paddle

from .layouts import sparse_coo, sparse_csr, strided
from .methods_of_tensors import _methods

_sparse, _sparse_csr = paddle.Tensor.is_sparse_coo, paddle.Tensor.is_sparse_csr


def _layout(self):
    return sparse_coo if _sparse(self) else sparse_csr if _sparse_csr(self) else strided


_methods(is_sparse=property(_sparse), is_sparse_csr=property(_sparse_csr), layout=property(_layout))
