import paddle

from .methods_of_tensors import _method, _methods
from .overrides import _function


def _of_any(theirs):
    def transpose(input, dim0, dim1):
        return theirs(input, dim0, dim1) if input.ndim else input.view(input.shape)

    return transpose


def transpose_(self, dim0, dim1):
    """The tensor itself, with two dimensions in each other's place; its memory is in order again."""
    order = list(range(self.ndim))
    if self.ndim:
        order[dim0], order[dim1] = order[dim1], order[dim0]
    return paddle.transpose_(self, order)


transpose, swapaxes, swapdims = map(_of_any, map(_function, ("transpose", "swapaxes", "swapdims")))
_methods(**{name: _of_any(_method(name)) for name in ("transpose", "swapaxes", "swapdims")})
_methods(transpose_=transpose_, swapaxes_=transpose_, swapdims_=transpose_)
