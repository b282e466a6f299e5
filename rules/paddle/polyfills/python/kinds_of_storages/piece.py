import paddle

from .storages import _TypedStorage


class _KindOfStorage(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _TypedStorage) and value.dtype == cls.dtype

    def __call__(cls, *args, **kwargs):
        raise NotImplementedError(f"Paddle has no storages: torch.{cls.__name__} cannot be made, make a tensor")


class FloatStorage(metaclass=_KindOfStorage):
    dtype = paddle.float32


class DoubleStorage(metaclass=_KindOfStorage):
    dtype = paddle.float64


class HalfStorage(metaclass=_KindOfStorage):
    dtype = paddle.float16


class BFloat16Storage(metaclass=_KindOfStorage):
    dtype = paddle.bfloat16


class LongStorage(metaclass=_KindOfStorage):
    dtype = paddle.int64


class IntStorage(metaclass=_KindOfStorage):
    dtype = paddle.int32


class ShortStorage(metaclass=_KindOfStorage):
    dtype = paddle.int16


class CharStorage(metaclass=_KindOfStorage):
    dtype = paddle.int8


class BoolStorage(metaclass=_KindOfStorage):
    dtype = paddle.bool
