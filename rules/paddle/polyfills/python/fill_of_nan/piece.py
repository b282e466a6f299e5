import math

from .methods_of_tensors import _method, _methods

_fill_ = _method("fill_")


def fill_(self, value):
    if isinstance(value, float) and math.isnan(value):
        return _fill_(self, 0.0).scale_(bias=value)
    return _fill_(self, value)


_methods(fill_=fill_)
