import paddle

from .computing import _writing
from .methods_of_tensors import _method, _methods


def _logical(name):
    theirs = _method(name)
    return _writing(lambda self, other: theirs(self.astype(paddle.bool), other.astype(paddle.bool)))


_LOGICAL = ("logical_and", "logical_or", "logical_xor")
_methods(logical_not_=_writing(_method("logical_not")), **{f"{name}_": _logical(name) for name in _LOGICAL})
