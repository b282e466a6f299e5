import numpy
import paddle
from paddle.utils.dlpack import from_dlpack

from .methods_of_tensors import _method, _methods
from .overrides import _register

_DTYPES_OF_BOTH = frozenset("?bhilqBefdFD")
_copy_of_tensor = _method("numpy")


def from_numpy(ndarray):
    """A tensor in the memory of an array."""
    if not isinstance(ndarray, numpy.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    if any(stride < 0 for stride in ndarray.strides):
        raise ValueError("At least one stride in the given numpy array is negative: make a copy of the array")
    if ndarray.dtype.char in _DTYPES_OF_BOTH:
        try:
            return from_dlpack(ndarray)
        except (BufferError, TypeError):  # the versions of numpy that do not give what is read-only
            pass
    return paddle.to_tensor(ndarray, place="cpu")


def _numpy_sharing(self, *args, force=False):
    """An array in the memory of a tensor; that of one on a device, or of a dtype that numpy lacks, is a copy."""
    if force:
        self = self.detach().cpu()
    if self.place.is_cpu_place() and self.is_dense() and self.dtype not in _OF_PADDLE_ALONE:
        return numpy.from_dlpack(self.detach())
    return _copy_of_tensor(self, *args)


_OF_PADDLE_ALONE = frozenset({paddle.bfloat16, paddle.float8_e4m3fn, paddle.float8_e5m2})
_methods(numpy=_numpy_sharing)
_register({}, {"torch.from_numpy": from_numpy})
