import paddle

from .methods_of_tensors import _methods
from .torchs_meaning import _tensor_method


def _fill_diagonal(self, fill_value, wrap=False):
    """Fill the main diagonal; with `wrap` it begins again below that of a tall matrix."""
    if self.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if self.ndim > 2 and len(set(self.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    step, count = 0, min(self.shape)
    for length in self.shape:
        step = step * length + 1
    last = self.size if wrap and self.ndim == 2 else step * count
    filled = paddle.zeros([self.size], dtype="bool")
    filled[:last:step] = True
    return _tensor_method("masked_fill_")(self, filled.reshape(self.shape), fill_value)


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """A copy in which a slice along a dimension has other values."""
    part = (slice(None),) * (dim % input.ndim) + (slice(start, end, step),)
    made = input.clone()
    shape = list(_tensor_method("__getitem__")(made.detach(), part).shape)
    if list(src.shape) != shape:
        sizes = f"src size = {list(src.shape)}, slice size = {shape}"
        raise RuntimeError(f"expected src to have a size equal to the slice of self. {sizes}")
    _tensor_method("__setitem__")(made, part, src)
    return made


_methods(fill_diagonal_=_fill_diagonal, slice_scatter=slice_scatter)
