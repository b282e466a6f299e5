
from .methods_of_tensors import _method, _methods

_strides = _method("stride")


def _stride(self, dim=None):
    found = _strides(self)
    return tuple(found) if dim is None else found[dim]


_methods(stride=_stride)
