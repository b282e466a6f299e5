import math
import operator

import paddle

from .methods_of_tensors import _methods, _static


class _KindOfSize(type):
    """Paddle's own sizes, which its functions return, are of the class, too."""

    def __instancecheck__(cls, value):
        return type.__instancecheck__(cls, value) or isinstance(value, paddle.Size)


class Size(tuple, metaclass=_KindOfSize):
    """The lengths of a tensor's dimensions, as a tuple."""

    def __new__(cls, lengths=()):
        lengths = lengths.tolist() if isinstance(lengths, paddle.Tensor) else lengths
        return tuple.__new__(cls, (n if isinstance(n, int) else operator.index(n) for n in lengths))

    def numel(self):
        return math.prod(self)

    def __getitem__(self, at):
        found = tuple.__getitem__(self, at)
        return tuple.__new__(Size, found) if isinstance(at, slice) else found

    def __add__(self, other):
        return Size((*self, *other)) if isinstance(other, (tuple, paddle.Size)) else NotImplemented

    def __radd__(self, other):
        return Size((*other, *self)) if isinstance(other, (tuple, paddle.Size)) else NotImplemented

    def __mul__(self, count):
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __eq__(self, other):
        return tuple.__eq__(self, tuple(other) if isinstance(other, paddle.Size) else other)

    def __ne__(self, other):
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self):
        return f"torch.Size({[*self]})"

    __str__ = __repr__

    def __reduce__(self):
        return Size, (tuple(self),)


class _Length(int):
    """How many elements a tensor has, as Paddle's `size` is; called, as torch's is, its shape."""

    def __call__(self, dim=None):
        return self.lengths if dim is None else self.lengths[dim]


def _size_of(tensor):
    lengths = tuple.__new__(Size, _shape_of(tensor))
    size = _Length(math.prod(lengths))
    size.lengths = lengths
    return size


class _SizeMember(property):
    """That of the class is called with a tensor, as `torch.Tensor.size` is."""

    def __call__(self, tensor, dim=None):
        return _size_of(tensor)(dim)


_shape_of = _static(paddle.Tensor, "shape").__get__
_methods(shape=property(lambda tensor: tuple.__new__(Size, _shape_of(tensor))), size=_SizeMember(_size_of))
