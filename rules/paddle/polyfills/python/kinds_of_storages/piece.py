import os

import numpy
import paddle

from .arrays_in_one_memory import from_numpy
from .storages import _Storage, _TypedStorage


class _KindOfStorage(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _TypedStorage) and value.dtype == cls.dtype

    def __call__(cls, *args, **kwargs):
        raise NotImplementedError(f"Paddle has no storages: torch.{cls.__name__} cannot be made, make a tensor")


FloatStorage = _KindOfStorage("FloatStorage", (), {"dtype": paddle.float32})
DoubleStorage = _KindOfStorage("DoubleStorage", (), {"dtype": paddle.float64})
HalfStorage = _KindOfStorage("HalfStorage", (), {"dtype": paddle.float16})
BFloat16Storage = _KindOfStorage("BFloat16Storage", (), {"dtype": paddle.bfloat16})
LongStorage = _KindOfStorage("LongStorage", (), {"dtype": paddle.int64})
IntStorage = _KindOfStorage("IntStorage", (), {"dtype": paddle.int32})
ShortStorage = _KindOfStorage("ShortStorage", (), {"dtype": paddle.int16})
CharStorage = _KindOfStorage("CharStorage", (), {"dtype": paddle.int8})
BoolStorage = _KindOfStorage("BoolStorage", (), {"dtype": paddle.bool})


class _OfAnyDtype(_KindOfStorage):
    def __instancecheck__(cls, value):
        return isinstance(value, _Storage) and isinstance(value, _TypedStorage) == (cls is TypedStorage)


    def from_file(cls, filename, shared=False, nbytes=0):
        """A storage in the memory that a file is mapped to; what is written to it is if `shared` is true."""
        if cls is TypedStorage:
            raise RuntimeError("from_file can only be called on derived classes")
        try:
            file = open(filename, "r+b" if shared and os.path.exists(filename) else "w+b" if shared else "rb")
        except OSError as error:
            how = f"in read-{'write' if shared else 'only'} mode: {error.strerror} ({error.errno})"
            raise RuntimeError(f"unable to open file <{filename}> {how}") from error
        with file:
            size = os.fstat(file.fileno()).st_size
            if shared and size < nbytes:
                file.truncate(nbytes)
            elif size < nbytes:
                found = f"file <{filename}> size <{size}>"
                raise RuntimeError(f"{found} is smaller than the required mapping size <{nbytes}>")
            if not nbytes:
                return _Storage(paddle.empty([0], "uint8", device="cpu"))
            mapped = numpy.memmap(file, "uint8", "r+" if shared else "c", shape=(nbytes,))
        return _Storage(from_numpy(numpy.asarray(mapped)))


TypedStorage = storage_TypedStorage = _OfAnyDtype("TypedStorage", (), {})
UntypedStorage = storage_UntypedStorage = _OfAnyDtype("UntypedStorage", (), {})
