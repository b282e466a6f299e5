import paddle
import paddle.nn.functional as functional

from .half_on_cpu import _is_recorded
from .methods_of_tensors import _method, _methods
from .pointwise import prelu
from .torchs_meaning import _torch

_paddles_unfold = _method("unfold")


def functional_prelu(input, weight):
    """Paddle's own ends the process in the backward pass of the weight alone."""
    if weight.stop_gradient or not input.stop_gradient or not paddle.is_grad_enabled():
        return functional.prelu(input, weight)
    return prelu(input, weight)


def _unfold(self, dimension, size, step):
    """Windows along a dimension; with a gradient a copy where they overlap, of which Paddle's
    backward pass keeps one of several that meet."""
    if step >= size or not self.ndim or not _is_recorded(self):
        return _paddles_unfold(self, dimension, size, step)
    dim, length = dimension % self.ndim, self.shape[dimension]
    if size > length:
        raise RuntimeError(
            f"maximum size for tensor at dimension {dimension} is {length} but size is {size}"
        )
    begins = paddle.arange(0, length - size + 1, step).unsqueeze(1)
    places = begins + paddle.arange(size)
    rows = _torch("index_select")(self, dim, places.reshape([-1]))
    shape = [*self.shape[:dim], *places.shape, *self.shape[dim + 1 :]]
    return paddle.moveaxis(rows.reshape(shape), dim + 1, -1)


_methods(unfold=_unfold)
