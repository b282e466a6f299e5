import paddle

from .computing import _assign
from .half_on_cpu import _is_recorded
from .methods_of_tensors import _method, _methods

_copy_ = _method("copy_")


def copy_(self, src, non_blocking=False):
    """Write the elements of another tensor into this one."""
    if not isinstance(src, paddle.Tensor):
        src = paddle.full([], src, dtype=self.dtype)
    own, given = tuple(self.shape), tuple(src.shape)
    if given != own:
        if tuple(paddle.broadcast_shape(own, given)) != own:
            raise RuntimeError(f"a tensor of shape {list(given)} does not fit {list(own)}")
        src = src.broadcast_to(own)
    if src.dtype != self.dtype:
        src = src.astype(self.dtype)
    if _is_recorded(self, src):
        return _assign(src, self)
    _copy_(self, src, non_blocking)
    return self


_methods(copy_=copy_)
