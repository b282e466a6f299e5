import paddle

from .methods_of_tensors import _methods, _static
from .sparse_arguments import _called_on_sparse

_settable = _static(paddle.Tensor, "data")


def _data(self):
    if not self.is_dense():
        return _called_on_sparse("detach", (self,), {})
    made = paddle.empty([0], dtype=self.dtype)
    made.get_tensor()._share_data_with(self.get_tensor())
    return made


def _set_data(self, value):
    """In what is the same tensor, too, as one that C++ has."""
    if self.is_dense() and isinstance(value, paddle.Tensor) and value.is_dense():
        self.get_tensor()._share_data_nocheck_with(value.get_tensor())
    else:
        getattr(_settable, "theirs", _settable).__set__(self, value)


_methods(data=property(_data, _set_data))
