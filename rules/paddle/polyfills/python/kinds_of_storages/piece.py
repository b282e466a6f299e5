import paddle

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


TypedStorage = storage_TypedStorage = _OfAnyDtype("TypedStorage", (), {})
UntypedStorage = storage_UntypedStorage = _OfAnyDtype("UntypedStorage", (), {})
