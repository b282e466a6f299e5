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


def _has_no_places(part):
    """Whether a part of an index, but for a mask, is of places that are none."""
    if not isinstance(part, (list, numpy.ndarray, paddle.Tensor)) or 0 not in numpy.shape(part):
        return False
    return "bool" not in str(getattr(part, "dtype", ""))


def _shape_without_places(tensor, index):
    """The shape of what an index is of, if it has a part without places: Paddle reads it with another one, and refuses
    to write there."""
    parts = index if isinstance(index, tuple) else (index,)
    if not any(map(_has_no_places, parts)):
        return None
    for_numpy = tuple(
        numpy.zeros(numpy.shape(part), "int64") if _has_no_places(part)
        else part.numpy() if isinstance(part, paddle.Tensor) else part
        for part in parts
    )  # fmt: skip
    return numpy.broadcast_to(numpy.empty(()), tensor.shape)[for_numpy].shape


def __getitem__(self, index):
    index = _torch_index(index, self.ndim)
    item = _item_in_order(paddle.assign(self) if _misread(self, index) else self, index)
    shape = _shape_without_places(self, index)
    return item if shape in (None, tuple(item.shape)) else item.reshape(shape)


def __setitem__(self, index, value):
    index = _torch_index(index, self.ndim)
    shape = _shape_without_places(self, index)
    if shape is not None:
        given = tuple(numpy.shape(value))
        if numpy.broadcast_shapes(shape, given) != shape:
            raise RuntimeError(f"shape mismatch: {given} cannot be broadcast to the indexing result {shape}")
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
