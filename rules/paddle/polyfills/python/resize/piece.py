import paddle

from .methods_of_tensors import _methods

_paddle_resize = paddle.Tensor.resize_


def _resize_to(self, *sizes, memory_format=None):
    if not self.stop_gradient:
        raise RuntimeError("cannot resize variables that require grad")
    listed = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)) else sizes
    return _paddle_resize(self, [int(size) for size in listed])


_methods(resize_=_resize_to)
