import functools
import operator

import paddle

from .methods_of_tensors import _method, _methods, _wrap_functions, _wrap_methods
from .torchs_meaning import _tensor_method

_item_of_few, _write_item_of_few = _method("__getitem__"), _method("__setitem__")
_SLICED_AT_MOST = _TILED_AT_MOST = 6  # dimensions that Paddle's slices, and its copies along dimensions, take


def _is_place(part):
    return isinstance(part, int) and not isinstance(part, bool) or isinstance(part, paddle.Tensor) and not part.ndim


def _is_of_places_and_slices(parts):
    return all(
        part is None or part is ... or isinstance(part, slice)
        or _is_place(part) and getattr(part, "dtype", None) not in (paddle.bool, paddle.uint8)
        for part in parts
    )  # fmt: skip


def _part_by_strides(tensor, parts):
    """The view of a tensor that slices, places, new dimensions and an ellipsis give."""
    left = tensor.ndim - sum(part is not None and part is not ... for part in parts)
    if left < 0:
        raise IndexError(f"too many indices for tensor of dimension {tensor.ndim}")
    sizes, steps = iter(tensor.shape), iter(tensor.strides)
    shape, strides, start = [], [], tensor.offset // tensor.element_size()
    for part in [*parts, *([] if any(part is ... for part in parts) else [...])]:
        if part is None:
            shape, strides = [*shape, 1], [*strides, 1]
            continue
        for _ in range(left if part is ... else 1):
            size, step = next(sizes), next(steps)
            if part is ... or isinstance(part, slice):
                taken = range(*(slice(None) if part is ... else part).indices(size))
                if taken.step < 0:
                    raise ValueError("step must be greater than zero")
                shape, strides, start = [*shape, len(taken)], [*strides, step * taken.step], start + step * taken.start
            else:
                at = operator.index(part)
                if not -size <= at < size:
                    raise IndexError(f"index {at} is out of bounds for a dimension with size {size}")
                start += step * (at % size)
    return _tensor_method("as_strided")(tensor, shape, strides, start)


def _item_of_many(self, index):
    if self.ndim > _SLICED_AT_MOST:
        parts = index if isinstance(index, tuple) else (index,)
        if _is_of_places_and_slices(parts):
            return _part_by_strides(self, parts)
    return _item_of_few(self, index)


def _write_item_of_many(self, index, value):
    if self.ndim <= _SLICED_AT_MOST:
        return _write_item_of_few(self, index, value)
    parts = index if isinstance(index, tuple) else (index,)
    if not _is_of_places_and_slices(parts):
        return _write_item_of_few(self, index, value)
    places = _part_by_strides(paddle.arange(self.size).reshape(self.shape), parts)
    value = value if isinstance(value, paddle.Tensor) else paddle.full([], value, self.dtype)
    extra = max(0, value.ndim - places.ndim)
    value = value.reshape(value.shape[extra:]).expand(places.shape).astype(self.dtype)
    whole = self.flatten()
    _tensor_method("index_put_")(whole, (places.flatten(),), value.flatten())
    _tensor_method("copy_")(self, whole.reshape(self.shape))


def _repeated(theirs, _):
    """Copies along dimensions, one dimension after the other: Paddle's tile takes fewer dimensions."""

    @functools.wraps(theirs)
    def repeat(input, *counts, **named):
        given = counts[0] if len(counts) == 1 and isinstance(counts[0], (list, tuple)) else counts
        if named or max(input.ndim, len(given)) <= _TILED_AT_MOST:
            return theirs(input, *counts, **named)
        given = [1] * (input.ndim - len(given)) + [*given]
        made = input.reshape([1] * (len(given) - input.ndim) + list(input.shape))
        for dim, count in enumerate(given):
            if count != 1:
                made = paddle.concat([made] * count, dim) if count else made.narrow(dim, 0, 0)
        return made.clone() if all(count == 1 for count in given) else made

    return repeat


_methods(__getitem__=_item_of_many, __setitem__=_write_item_of_many)
_wrap_methods(_repeated, ["repeat", "tile"])
_wrap_functions(_repeated, ["tile"])
