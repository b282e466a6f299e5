import paddle

from .methods_of_tensors import _methods

_is_contiguous = paddle.Tensor.is_contiguous
_DEFAULT = object()
# How many dimensions a tensor has whose elements are in this order; of any number where it is 0.
_RANKS = {
    "torch.contiguous_format": 0,
    "torch.preserve_format": 0,
    "torch.channels_last": 4,
    "torch.channels_last_3d": 5,
}


def _rank(memory_format, asked):
    if memory_format is _DEFAULT:
        return 0
    name = repr(memory_format)  # which is the same in another unit of this process
    if name not in _RANKS:
        said = f"must be torch.memory_format, not {type(memory_format).__name__}"
        raise TypeError(f"{asked}(): argument 'memory_format' {said}")
    return _RANKS[name]


def _channels_are_last(tensor):
    """Whether the second dimension is the innermost one, and nothing lies between the elements."""
    expected, shape, strides = 1, tensor.shape, tensor.strides
    for dim in (1, *range(tensor.ndim - 1, 1, -1), 0):
        if shape[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= shape[dim]
    return True


def is_contiguous(self, *, memory_format=_DEFAULT):
    rank = _rank(memory_format, "is_contiguous")
    if not rank:
        return (_is_contiguous(self) or not self.size) and self.is_dense()
    return self.ndim == rank and _channels_are_last(self)


_methods(is_contiguous=is_contiguous)
