import paddle

from .methods_of_tensors import _members, _method, _wrap_methods
from .parts_of_sparse import _coo, _coo_parts, _csr, _flagged
from .sparse_arguments import _called_on_sparse


def _or_property_on_sparse(theirs, name):
    def found(self):
        return theirs.__get__(self) if self.is_dense() else _called_on_sparse(name, (self,), {})

    return property(found)


def _restored_sparse(shape, flag, *parts):
    return _csr(*parts, shape) if flag is None else _coo(*parts, shape, flag)


def _reduce_sparse(self, protocol):
    """Of dense tensors as before; of sparse ones their parts, where Paddle ends the process."""
    if self.is_dense():
        return _reduce_dense(self, protocol)
    if self.is_sparse_csr():
        parts, flag = (self.crows(), self.cols(), self.values().detach()), None
    else:
        (indices, values), flag = _coo_parts(self), _flagged(self)
        parts = indices, values.detach()
    return _restored_sparse, ([*self.shape], flag, *parts)


def _deep_copy(self, memo):
    if self.is_dense():
        return _deep_copy_of_dense(self, memo)
    return _called_on_sparse("__deepcopy__", (self, memo), {})


_reduce_dense, _deep_copy_of_dense = paddle.Tensor.__reduce_ex__, _method("__deepcopy__")
_wrap_methods(_or_property_on_sparse, ["T", "mT", "mH", "H"])
_members(paddle.Tensor, __reduce_ex__=_reduce_sparse, __deepcopy__=_deep_copy)
