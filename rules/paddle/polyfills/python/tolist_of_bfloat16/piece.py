import paddle

from .methods_of_tensors import _method, _methods
from .sparse_arguments import _called_on_sparse

_paddle_tolist = _method("tolist")


def _tolist(self):
    if not self.is_dense():
        return _called_on_sparse("tolist", (self,), {})
    return _paddle_tolist(self.astype("float32") if self.dtype == paddle.bfloat16 else self)


_methods(tolist=_tolist)
