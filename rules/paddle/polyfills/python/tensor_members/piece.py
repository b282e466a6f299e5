import paddle

from .methods_of_tensors import _methods


def _new_tensor(self, data, dtype=None, device=None, requires_grad=False):
    """A tensor of these values, like this one where nothing else is said."""
    made = paddle.to_tensor(data, dtype or self.dtype, device or self.place)
    made.stop_gradient = not requires_grad
    return made


def _select(self, dim, index):
    """The slice at an index of a dimension."""
    return self[(slice(None),) * (dim % self.ndim) + (index,)]


def _retain_grad(self):
    self.retain_grads()
    if not self.is_leaf:
        self._retains_grad = True


_methods(
    new_tensor=_new_tensor,
    select=_select,
    retain_grad=_retain_grad,
    retains_grad=property(lambda self: getattr(self, "_retains_grad", False)),
)
