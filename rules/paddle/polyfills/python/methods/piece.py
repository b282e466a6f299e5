import paddle

from .computing import _of_itself
from .functions import torch_empty_strided
from .shapes_and_indices import adjoint
from .storages import _Storage, _TypedStorage
from .torchs_meaning import _torch
from .typed_tensors import _list_of_items


def Tensor_bernoulli(self, p=None, *, generator=None):
    return _torch("bernoulli")(self, p, generator=generator)


def Tensor_det(self):
    return paddle.linalg.det(self)


def Tensor_ger(self, vec2):
    return _torch("outer")(self, vec2)


def _matrix(tensor):
    if tensor.ndim not in (0, 2):
        raise RuntimeError(
            "tensor.H is only supported on matrices (2-D tensors). Got "
            f"{tensor.ndim}-D tensor. For batches of matrices, consider using tensor.mH"
        )
    return adjoint(tensor) if tensor.ndim else tensor


Tensor_H = property(_matrix)
Tensor_mH = property(lambda self: adjoint(self))


def Tensor_new(self, *sizes, device=None):
    if sizes and not isinstance(sizes[0], int):
        if isinstance(sizes[0], _Storage):
            return sizes[0]._whole()
        if type(sizes[0]).__name__ != "Size":  # torch's, or Paddle's
            return paddle.to_tensor(_list_of_items(sizes[0]), dtype=self.dtype, place=device or self.place)
        sizes = sizes[0]
    return paddle.empty(list(sizes) or [0], dtype=self.dtype, device=device or self.place)


def _relu(x):
    whole = not x.is_floating_point()
    return paddle.maximum(x, paddle.zeros_like(x)) if whole else paddle.nn.functional.relu(x)


def Tensor_relu(self):
    return _of_itself(_relu, self)


def Tensor_reshape_as(self, other):
    return self.reshape(other.shape)


def Tensor_sum_to_size(self, *size):
    size = size[0] if size and not isinstance(size[0], int) else size
    ahead = self.ndim - len(size)
    ones = [ahead + at for at, length in enumerate(size) if length == 1]
    dims = [*range(ahead), *(dim for dim in ones if self.shape[dim] != 1)]
    return _of_itself(lambda x: x.sum(dims) if dims else x, self).reshape(list(size))


def Tensor_new_empty_strided(self, size, stride, dtype=None, device=None, requires_grad=False):
    made = torch_empty_strided(size, stride, dtype=dtype or self.dtype, device=device or self.place)
    made.stop_gradient = not requires_grad
    return made


def Tensor_untyped_storage(self):
    return _Storage(self)


def Tensor_storage(self):
    return _TypedStorage(self)
