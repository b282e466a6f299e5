import numpy
import paddle

from .errors_in_backward import _switched_on
from .methods_of_tensors import _method, _methods

_item, _write_item = _method("__getitem__"), _method("__setitem__")


def _misreads_gradient(tensor, index, value):
    """Whether what is written by places, not by slices alone, has a gradient that is no float32; or it, or
    what it is written to, has any gradient, where a second one is needed."""
    if not tensor.ndim:  # written as a whole
        return False
    if _switched_on and not tensor.stop_gradient and paddle.is_grad_enabled():
        return True
    if not isinstance(value, paddle.Tensor) or value.stop_gradient or not paddle.is_grad_enabled():
        return False
    parts = index if isinstance(index, tuple) else (index,)
    by_places = any(isinstance(p, (paddle.Tensor, list, numpy.ndarray)) for p in parts)
    return _switched_on or (by_places and tensor.dtype != paddle.float32)


def _write_with_gradient(self, index, value):
    if not _misreads_gradient(self, index, value):
        return _write_item(self, index, value)
    places = _item(paddle.arange(self.size).reshape(self.shape), index)
    if not isinstance(value, paddle.Tensor):
        value = paddle.to_tensor(value, self.dtype, self.place)
    value = value.reshape(value.shape[max(0, value.ndim - places.ndim) :]).expand(places.shape)
    if not self.ndim:  # has no coordinates
        if places.size:
            paddle.assign(value.reshape([]).astype(self.dtype), self)
        return
    places, coordinates = places.flatten(), []
    for size in reversed(self.shape):
        coordinates.append(places % size)
        places = places // size
    self.index_put_(tuple(reversed(coordinates)), value.astype(self.dtype).flatten())


_methods(__setitem__=_write_with_gradient)
