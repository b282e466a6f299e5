import numpy
import paddle

from .methods_of_tensors import _method, _methods

_item, _write_item = _method("__getitem__"), _method("__setitem__")


def _misreads_gradient(tensor, index, value):
    """Whether what is written by places, not by slices alone, has a gradient that is no float32."""
    if not isinstance(value, paddle.Tensor) or value.stop_gradient or tensor.dtype == paddle.float32:
        return False
    parts = index if isinstance(index, tuple) else (index,)
    return paddle.is_grad_enabled() and any(isinstance(p, (paddle.Tensor, list, numpy.ndarray)) for p in parts)


def _write_with_gradient(self, index, value):
    if not _misreads_gradient(self, index, value):
        return _write_item(self, index, value)
    places = _item(paddle.arange(self.size).reshape(self.shape), index)
    value = value.reshape(value.shape[max(0, value.ndim - places.ndim) :]).expand(places.shape)
    places, coordinates = places.flatten(), []
    for size in reversed(self.shape):
        coordinates.append(places % size)
        places = places // size
    self.index_put_(tuple(reversed(coordinates)), value.astype(self.dtype).flatten())


_methods(__setitem__=_write_with_gradient)
