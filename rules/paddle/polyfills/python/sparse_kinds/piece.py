import numpy
import paddle

from .torchs_meaning import _torch


class _KindOfSparse(type):
    def __instancecheck__(cls, value):
        return isinstance(value, paddle.Tensor) and value.is_sparse() and value.dtype == cls.dtype

    def __call__(cls, indices, values, size=None, *, device=None):
        return _torch("sparse_coo_tensor")(indices, values, size, dtype=cls.dtype, device=device)


class sparse_FloatTensor(metaclass=_KindOfSparse):
    dtype = paddle.float32


class sparse_DoubleTensor(metaclass=_KindOfSparse):
    dtype = paddle.float64


class sparse_HalfTensor(metaclass=_KindOfSparse):
    dtype = paddle.float16


class ByteStorage:
    """The bytes of a buffer: a copy."""

    dtype = paddle.uint8

    def __init__(self, size=0):
        self._bytes = numpy.array(size, "uint8") if isinstance(size, (list, tuple)) else numpy.zeros(size, "uint8")

    @classmethod
    def from_buffer(cls, buffer, *args, **kwargs):
        made = cls()
        made._bytes = numpy.frombuffer(buffer, "uint8").copy()
        return made

    def __array__(self, dtype=None, copy=None):
        return self._bytes if dtype is None else self._bytes.astype(dtype)

    def __len__(self):
        return len(self._bytes)

    def __getitem__(self, place):
        return int(self._bytes[place])

    def tolist(self):
        return self._bytes.tolist()

    def nbytes(self):
        return len(self._bytes)

    def element_size(self):
        return 1
