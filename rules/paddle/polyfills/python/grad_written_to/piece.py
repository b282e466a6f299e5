import paddle

_paddle_grad = paddle.Tensor.grad


def _grad(self):
    found = _paddle_grad.__get__(self)
    if found is not None and found.is_leaf:
        found.stop_gradient = True
    return found


_methods(grad=property(_grad))
