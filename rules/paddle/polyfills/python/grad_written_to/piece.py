import paddle

from .methods_of_tensors import _methods

_paddle_grad = paddle.Tensor.grad


def _grad(self):
    found = _paddle_grad.__get__(self)
    if found is None or not found.is_leaf or not found.is_dense():
        return found
    # the same memory, and not the object that Paddle empties when x.grad is set
    return paddle.as_strided(found.detach(), found.shape, found.strides)


def _set_grad(self, value):
    _paddle_grad.__set__(self, None)  # else the new values go into the memory of the old ones
    if value is not None:
        _paddle_grad.__set__(self, value)


def _delete_grad(self):
    _paddle_grad.__set__(self, None)


_methods(grad=property(_grad, _set_grad, _delete_grad))
