import paddle


def _new_tensor(self, data, dtype=None, device=None, requires_grad=False):
    """A tensor of these values, like this one where nothing else is said."""
    made = paddle.to_tensor(data, dtype or self.dtype, device or self.place)
    made.stop_gradient = not requires_grad
    return made


_methods(new_tensor=_new_tensor, retain_grad=lambda self: self.retain_grads())
