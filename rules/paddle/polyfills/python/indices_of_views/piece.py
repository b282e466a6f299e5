import numpy
import paddle

from .methods_of_tensors import _method, _methods

_item_in_order, _set_item_in_order = _method("__getitem__"), _method("__setitem__")
_SEQUENCES = (range, tuple)
_NEW, _TAKEN, _LOOKED_UP, _TRUTH = "new", "kept", "looked up", "truth"  # kinds of dimensions


def _is_mask(part):
    if isinstance(part, list):
        return numpy.asarray(part).dtype == numpy.bool_ and 0 not in numpy.shape(part)
    return isinstance(part, bool) or getattr(part, "dtype", None) in (paddle.bool, paddle.uint8, numpy.bool_)


def _is_looked_up(part):
    """Whether a part of an index is of places: more than a number, a slice or a new dimension."""
    lists = isinstance(part, (list, numpy.ndarray)) or isinstance(part, paddle.Tensor) and part.ndim
    return lists or _is_mask(part)


def _torch_index(index):
    """A sequence that holds more than numbers is the tuple of its elements, and one within a tuple is a list of
    places, as torch reads them."""
    if isinstance(index, tuple):
        within = any(isinstance(part, _SEQUENCES) for part in index)
        return tuple([*part] if isinstance(part, _SEQUENCES) else part for part in index) if within else index
    if isinstance(index, range):
        return [*index]
    if not isinstance(index, list) or len(index) >= 32:
        return index
    only_numbers = all(isinstance(each, (int, float, numpy.generic)) for each in index)
    return index if only_numbers else _torch_index(tuple(index))


def _misread(parts):
    """Whether Paddle reads another part of a tensor by such places, or none."""
    looked_up = [part for part in parts if _is_looked_up(part)]
    if not looked_up:
        return False
    new = any(part is None for part in parts) or any(part is ... for part in parts)
    masks = [part for part in looked_up if _is_mask(part)]
    bytes_too = any(getattr(part, "dtype", None) == paddle.uint8 for part in masks)
    masked = bytes_too or any(len(parts) > 1 or not numpy.ndim(part) for part in masks)
    return (new and len(parts) > 1) or masked or any(0 in numpy.shape(part) for part in looked_up)


def _refuse_outside(part, at, size):
    """Refuse places that a dimension does not have, where torch does: Paddle reads and writes other memory there."""
    places = part.numpy() if isinstance(part, paddle.Tensor) else numpy.asarray(part)
    if not places.size:
        return
    low, high = numpy.minimum.reduce(places, None), numpy.maximum.reduce(places, None)
    if low < -size or high >= size:
        wrong = low if low < -size else high
        raise IndexError(f"index {wrong} is out of bounds for dimension {at} with size {size}")


def _refuse_wrong_places(tensor, parts):
    """The same of all parts of an index which Paddle reads as torch does."""
    if not tensor.place.is_cpu_place():
        return
    at = 0
    for number, part in enumerate(parts):
        if part is ...:
            at = tensor.ndim - sum(map(_dimensions, parts[number + 1 :]))
        elif _is_looked_up(part) and not _is_mask(part) and at < tensor.ndim:
            _refuse_outside(part, at, tensor.shape[at])
        at += _dimensions(part)


def _laid_out(tensor):
    return tensor if tensor.is_contiguous() else paddle.assign(tensor)  # not contiguous(), which changes it


class _Index:
    """An index as torch reads it, and the one without masks and new dimensions that Paddle reads so.

    What is looked up is broadcast: it has dimensions of its own, which are where the first of those
    looked up is if they are beside each other, and else the first ones.
    """

    def __init__(self, tensor, parts):
        taken = sum(map(_dimensions, parts))
        if taken > tensor.ndim:
            raise IndexError(f"too many indices for tensor of dimension {tensor.ndim}")
        self.tensor, self.parts, self.kinds, self.kept = tensor, [], [], []
        places = []
        for part in [*parts, *([] if any(part is ... for part in parts) else [...])]:
            self._add(part, tensor.ndim - taken, places)
        try:
            self.block = [*numpy.broadcast_shapes(*places)]
        except ValueError:
            raise IndexError(f"indexing tensors of shapes {places} cannot be broadcast together") from None

    def _add(self, part, left, places):
        sizes = self.tensor.shape[len(self.parts) :]
        if part is None:
            self.kinds.append(_NEW)
        elif part is ...:
            self.parts += [slice(None)] * left
            self.kinds += [_TAKEN] * left
            self.kept += sizes[:left]
        elif isinstance(part, slice):
            self.parts.append(part)
            self.kinds.append(_TAKEN)
            self.kept.append(len(range(*part.indices(sizes[0]))))
        elif _is_mask(part) and not numpy.ndim(part):
            self.kinds.append(_TRUTH)
            places.append([int(bool(part))])
        elif _is_looked_up(part):
            found = _places_of(part, sizes, self.tensor.place)
            if self.tensor.place.is_cpu_place() and not _is_mask(part):
                _refuse_outside(part, len(self.parts), sizes[0])
            self.parts += found
            self.kinds += [_LOOKED_UP] * len(found)
            places += [list(each.shape) for each in found]
        else:
            if isinstance(part, float):
                raise IndexError("only integers, slices, None, ..., tensors and lists are indices")
            if not -sizes[0] <= int(part) < sizes[0]:
                raise IndexError(f"index {int(part)} is out of bounds for a dimension with size {sizes[0]}")
            self.parts.append(part)

    def _block_at(self, kinds):
        """How many of the other dimensions are before those of the block."""
        places = [at for at, kind in enumerate(kinds) if kind in (_LOOKED_UP, _TRUTH)]
        together = places and places[-1] - places[0] < len(places)
        return places[0] if together else 0

    def shapes(self):
        """The shape of what the index is of, where new dimensions are in it, and where the block is without them."""
        first = self._block_at(self.kinds)
        others = [kind for kind in self.kinds if kind in (_NEW, _TAKEN)]
        sizes = iter(self.kept)
        shown = [1 if kind == _NEW else next(sizes) for kind in others]
        moved = len(self.block)
        new = {at if at < first else at + moved for at, kind in enumerate(others) if kind == _NEW}
        return [*shown[:first], *self.block, *shown[first:]], new, others[:first].count(_TAKEN)

    def _paddles_block_at(self):
        return self._block_at([kind for kind in self.kinds if kind in (_LOOKED_UP, _TAKEN)])

    def item(self):
        shape, _, before = self.shapes()
        if 0 in shape:
            return self.tensor.flatten()[:0].reshape(shape)
        found = _item_in_order(_laid_out(self.tensor), tuple(self.parts))
        if _LOOKED_UP in self.kinds:
            found = _with_block_at(found, len(self.block), self._paddles_block_at(), before)
        return found.reshape(shape)

    def write(self, value):
        shape, new, before = self.shapes()
        given = isinstance(value, paddle.Tensor)
        if given:
            value = _refitted(value, shape)
        if 0 in shape:
            return
        if not self.tensor.ndim:  # Paddle writes no tensor there
            value = value if given else paddle.to_tensor(value)
            paddle.assign(value.reshape([]).astype(self.tensor.dtype), self.tensor)
            return
        if given:
            plain = [size for at, size in enumerate(shape) if at not in new]
            value = value.reshape([size for at, size in enumerate(value.shape) if at not in new]).expand(plain)
            if _LOOKED_UP in self.kinds:
                value = _with_block_at(value, len(self.block), before, self._paddles_block_at())
            elif self.block:
                value = value.reshape(self.kept)
        whole = _laid_out(self.tensor)
        _set_item_in_order(whole, tuple(self.parts), value)
        if whole is not self.tensor:
            _set_item_in_order(self.tensor, ..., whole)


def _refitted(value, shape):
    """A value with as many dimensions as a shape, if it can be broadcast to that."""
    extra = max(0, value.ndim - len(shape))
    if any(size != 1 for size in value.shape[:extra]) or any(
        size not in (1, other) for size, other in zip(value.shape[::-1], shape[::-1], strict=False)
    ):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {value.shape} cannot be broadcast to indexing result of "
            f"shape {shape}"
        )
    return value.reshape([1] * (len(shape) - value.ndim) + value.shape[extra:])


def _with_block_at(tensor, count, old, new):
    """The tensor with some dimensions, that begin at the old one, at another one."""
    if old == new or not count:
        return tensor
    block = [*range(old, old + count)]
    others = [at for at in range(tensor.ndim) if at not in block]
    return tensor.transpose([*others[:new], *block, *others[new:]])


def _dimensions(part):
    """How many dimensions of a tensor a part of an index is for."""
    if part is None or part is ...:
        return 0
    return numpy.ndim(part) if _is_mask(part) else 1


def _places_of(part, sizes, place):
    """A part of an index that is looked up, as tensors of places, one for each dimension that it is for."""
    if not isinstance(part, paddle.Tensor):
        nothing = isinstance(part, list) and 0 in numpy.shape(part)
        part = paddle.to_tensor(part, dtype="int64" if nothing else None, place=place)
    if not _is_mask(part):
        return [part]
    if list(part.shape) != sizes[: part.ndim]:
        raise IndexError(f"The shape of the mask {part.shape} does not match that of the tensor, {sizes}")
    return [each.flatten() for each in paddle.nonzero(part.astype(paddle.bool), as_tuple=True)]


def _is_written_alone(tensor, value):
    """Whether a part of it can be written with no gradient to follow."""
    recorded = paddle.is_grad_enabled() and not (tensor.stop_gradient and getattr(value, "stop_gradient", True))
    return not recorded and 0 not in tensor.strides and isinstance(value, (paddle.Tensor, bool, int, float, complex))


def _write_part(tensor, part, value):
    """Write to a part of a tensor that is not contiguous, of which Paddle would write all."""
    if isinstance(value, paddle.Tensor):
        value = _refitted(value, part.shape).astype(tensor.dtype).expand(part.shape)
        value = value.clone() if value._is_shared_buffer_with(tensor) else value.contiguous()
    elif isinstance(value, complex) and not tensor.is_complex():  # which ends the process in Paddle
        raise RuntimeError(f"value cannot be converted to type {tensor.dtype} without overflow")
    else:
        value = paddle.full(part.shape, value, tensor.dtype)
    part.copy_(value.to(tensor.place), True)
    tensor._bump_inplace_version()


_OF_PLACES_ALONE = frozenset({paddle.int64, paddle.int32})


_IN_ORDER = frozenset({int, slice, type(...)})  # parts of indices that Paddle reads as torch does


def __getitem__(self, index):
    if type(index) in _IN_ORDER or type(index) is tuple and _IN_ORDER.issuperset(map(type, index)):
        return _item_in_order(self, index)
    if isinstance(index, paddle.Tensor) and index.dtype in _OF_PLACES_ALONE and index._numel() and index.ndim and self.ndim:
        if self.place.is_cpu_place():
            _refuse_outside(index, 0, self.shape[0])
        return _item_in_order(_laid_out(self), index)
    index = _torch_index(index)
    parts = index if isinstance(index, tuple) else (index,)
    if _misread(parts):
        return _Index(self, parts).item()
    if any(map(_is_looked_up, parts)):
        _refuse_wrong_places(self, parts)
        return _item_in_order(_laid_out(self), index)
    item = _item_in_order(self, index)
    # Paddle puts new dimensions elsewhere where there is nothing
    return _Index(self, parts).item() if 0 in item.shape and any(part is None for part in parts) else item


def _writes_nothing(tensor, parts, value):
    """Whether an index is of no elements, to which a value can be spread."""
    shape = _Index(tensor, parts).shapes()[0]
    if 0 in shape and isinstance(value, paddle.Tensor):
        _refitted(value, shape)
    return 0 in shape


def __setitem__(self, index, value):
    index = _torch_index(index)
    parts = index if isinstance(index, tuple) else (index,)
    looked_up = any(map(_is_looked_up, parts))
    new = not looked_up and any(part is None for part in parts)
    if new or not self.ndim or (looked_up and (_misread(parts) or not self.is_contiguous())):
        _Index(self, parts).write(value)
    else:
        if looked_up:
            _refuse_wrong_places(self, parts)
        elif not self.is_contiguous() and _is_written_alone(self, value):
            _write_part(self, _item_in_order(self, index), value)
            return
        nothing = isinstance(value, paddle.Tensor) and not value._numel()  # which Paddle cannot read from a view
        try:
            _set_item_in_order(self, index, paddle.zeros(value.shape, value.dtype) if nothing else value)
        except Exception:
            if not _writes_nothing(self, parts, value):  # which Paddle does not always allow
                raise
    asked = paddle.is_grad_enabled() and self.stop_gradient and isinstance(value, paddle.Tensor)
    if asked and not value.stop_gradient and not value._numel():  # where nothing is written, torch records it too
        made = self + value.sum().astype(self.dtype)
        if self.ndim:
            _set_item_in_order(self, ..., made)
        else:  # to which Paddle writes no tensor
            paddle.assign(made, self)


_methods(__getitem__=__getitem__, __setitem__=__setitem__)
