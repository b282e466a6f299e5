import numpy
import paddle

from .methods_of_tensors import _method, _methods

_item_in_order, _set_item_in_order = _method("__getitem__"), _method("__setitem__")


def _written_out(index, ndim):
    taken = [_dimensions(each) for each in index]
    for each in index:
        if each is ...:
            yield from [slice(None)] * (ndim - sum(taken))
        else:
            yield each


def _dimensions(part):
    """How many dimensions of a tensor a part of an index is for."""
    if part is None or part is ... or isinstance(part, bool):
        return 0
    return part.ndim if isinstance(part, paddle.Tensor) and part.dtype == paddle.bool else 1


def _torch_index(index, ndim):
    """A list that holds more than numbers is the tuple of its elements, as torch reads it; "..." is
    written out beside a mask of several dimensions, each of which Paddle takes for one."""
    if isinstance(index, tuple) and any(isinstance(each, paddle.Tensor) and each.ndim > 1 for each in index):
        return tuple(_written_out(index, ndim))
    if not isinstance(index, list) or len(index) >= 32:
        return index
    only_numbers = all(isinstance(each, (int, float, numpy.generic)) for each in index)
    return index if only_numbers else tuple(index)


def _misread(tensor, index):
    """Whether an index has lists of places, of a tensor whose memory is in another order."""
    parts = index if isinstance(index, tuple) else (index,)
    looked_up = (
        isinstance(part, (list, numpy.ndarray)) or isinstance(part, paddle.Tensor) and part.ndim
        for part in parts
    )
    return any(looked_up) and not tensor.is_contiguous()


def _is_empty(index):
    """Whether a tensor of places in an index has none, which Paddle refuses to write to."""
    parts = index if isinstance(index, tuple) else (index,)
    places = (part for part in parts if isinstance(part, paddle.Tensor) and part.dtype != paddle.bool)
    return any(0 in part.shape for part in places)


def _shape_at(tensor, index):
    parts = index if isinstance(index, tuple) else (index,)
    places = tuple(part.numpy() if isinstance(part, paddle.Tensor) else part for part in parts)
    return numpy.broadcast_to(numpy.empty(()), tensor.shape)[places].shape


def __getitem__(self, index):
    index = _torch_index(index, self.ndim)
    item = _item_in_order(paddle.assign(self) if _misread(self, index) else self, index)
    return item.reshape(_shape_at(self, index)) if _is_empty(index) else item


def __setitem__(self, index, value):
    index = _torch_index(index, self.ndim)
    if _is_empty(index):
        return
    if not self.ndim and (index is ... or index == ()) and isinstance(value, paddle.Tensor):
        # Paddle writes no tensor there, only a number.
        return paddle.assign(value.reshape([]).astype(self.dtype), self) and None
    if not _misread(self, index):
        return _set_item_in_order(self, index, value)
    whole = paddle.assign(self)  # not contiguous(), which changes the tensor itself
    _set_item_in_order(whole, index, value)
    _set_item_in_order(self, ..., whole)


_methods(__getitem__=__getitem__, __setitem__=__setitem__)
