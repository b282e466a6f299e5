import paddle

from .methods_of_tensors import _methods
from .torchs_meaning import _tensor_method
from .typed_tensors import _list_of_items


def _new_tensor(self, data, dtype=None, device=None, requires_grad=False):
    """A tensor of these values, like this one where nothing else is said."""
    made = paddle.to_tensor(_list_of_items(data), dtype or self.dtype, device or self.place)
    made.stop_gradient = not requires_grad
    return made


def _select(self, dim, index):
    """The slice at an index of a dimension."""
    rank = self.ndim
    if not rank:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    if isinstance(index, int) and not -self.shape[dim] <= index < self.shape[dim]:
        said = f"for tensor of size {list(self.shape)} at dimension {dim % rank}"
        raise IndexError(f"select(): index {index} out of range {said}")
    place = (slice(None),) * (dim % rank) + (index,)
    return self[place] if rank < 7 else _tensor_method("__getitem__")(self, place)  # Paddle's takes six dimensions


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
