import math

import paddle

from .computing import _assign
from .methods_of_tensors import _method, _methods

_fill_ = _method("fill_")


def fill_(self, value):
    if isinstance(value, paddle.Tensor):
        if value.ndim:
            raise RuntimeError(f"fill_ takes a number or a tensor without dimensions, not one of {value.ndim}")
        return _assign(value.astype(self.dtype).expand(self.shape), self)
    if isinstance(value, float) and math.isnan(value):
        return _fill_(self, 0.0).scale_(bias=value)
    return _fill_(self, value)


_methods(fill_=fill_)
