import numpy
import paddle
from paddle.utils.dlpack import from_dlpack

from .methods_of_tensors import _method, _methods
from .overrides import _register
from .sparse_arguments import _called_on_sparse

_DTYPES_OF_BOTH = frozenset("?bhilqBefdFD")
_UNSIGNED = tuple(map(numpy.dtype, ("uint16", "uint32", "uint64")))
_copy_of_tensor, _their_array = _method("numpy"), _method("__array__")


def _refuse_unsigned(array):
    """Paddle reads the bits of uint16 as bfloat16, in silence, and lacks the wider ones."""
    if getattr(array, "dtype", None) in _UNSIGNED:
        raise TypeError(f"Paddle has no tensors of {array.dtype}: convert the array, for example to int64")


def from_numpy(ndarray):
    """A tensor in the memory of an array."""
    if not isinstance(ndarray, numpy.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    _refuse_unsigned(ndarray)
    if any(stride < 0 for stride in ndarray.strides):
        raise ValueError("At least one stride in the given numpy array is negative: make a copy of the array")
    if ndarray.dtype.char in _DTYPES_OF_BOTH:
        try:
            return from_dlpack(ndarray)
        except (BufferError, TypeError):  # the versions of numpy that do not give what is read-only
            pass
    return paddle.to_tensor(ndarray, place="cpu")


def _numpy_sharing(self, *args, force=False):
    """An array in the memory of a tensor; that of one on a device is a copy."""
    _refuse_dtype(self)
    if force and self.is_dense():
        self = self.detach().cpu()
    if not self.is_dense():
        return _called_on_sparse("numpy", (self,), {})
    if self.place.is_cpu_place():
        return numpy.from_dlpack(self.detach())
    return _copy_of_tensor(self, *args)


def _array_of_tensor(self, *args, **kwargs):
    _refuse_dtype(self)
    return _their_array(self, *args, **kwargs)


def _refuse_dtype(tensor):
    """Of a dtype that numpy lacks Paddle gives the bits, as integers."""
    name = _OF_PADDLE_ALONE.get(tensor.dtype)
    if name:
        raise TypeError(f"Got unsupported ScalarType {name}")


_OF_PADDLE_ALONE = {
    paddle.bfloat16: "BFloat16",
    paddle.float8_e4m3fn: "Float8_e4m3fn",
    paddle.float8_e5m2: "Float8_e5m2",
}
_methods(numpy=_numpy_sharing, __array__=_array_of_tensor)
_register({}, {"torch.from_numpy": from_numpy})
