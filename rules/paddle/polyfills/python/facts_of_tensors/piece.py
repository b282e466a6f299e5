import math

import paddle


def is_conj(input):
    return False


def is_neg(input):
    return False


def is_nonzero(input):
    if input.size != 1:
        what = "more than one value" if input.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    return bool(input.item())


def is_same_size(input, other):
    return input.shape == other.shape


def is_signed(input):
    return input.dtype not in (paddle.bool, paddle.uint8)


def _always(value):
    return property(lambda self: value)


Tensor_is_cpu = property(lambda self: self.place.is_cpu_place())
Tensor_is_ipu = _always(False)
Tensor_is_maia = _always(False)
Tensor_is_meta = _always(False)
Tensor_is_mkldnn = _always(False)
Tensor_is_mps = _always(False)
Tensor_is_mtia = _always(False)
Tensor_is_nested = _always(False)
Tensor_is_quantized = _always(False)
Tensor_is_vulkan = _always(False)
Tensor_is_xla = _always(False)
Tensor_is_xpu = property(lambda self: self.place.is_xpu_place())


Tensor__cdata = property(id)  # torch's number of the object in C++, of which this one is the only one in Python


def Tensor_is_distributed(self):
    return False


Tensor_nbytes = property(lambda self: math.prod(self.shape) * self.element_size())


def Tensor_storage_offset(self):
    return self.offset // self.element_size()


def Tensor_const_data_ptr(self):
    return self.data_ptr()


def Tensor_dim_order(self):
    return tuple(sorted(range(self.ndim), key=lambda dim: -self.strides[dim]))
