import paddle

from .methods_of_tensors import _method, _methods

_FLOAT8 = (paddle.float8_e4m3fn, paddle.float8_e5m2)
_setitem = _method("__setitem__")


def _float8_written(self, key, value):
    if self.dtype not in _FLOAT8:
        return _setitem(self, key, value)
    if not isinstance(value, paddle.Tensor):
        value = paddle.to_tensor(value, dtype=paddle.float32, place=self.place)
    return _setitem(self.view(paddle.uint8), key, value.astype(self.dtype).view(paddle.uint8))


def _of_float8(value):
    small = isinstance(value, paddle.Tensor) and value.dtype in _FLOAT8
    return value.astype(paddle.float32) if small else value


def _float8_compared(name):
    theirs = _method(name)
    return lambda self, other: theirs(_of_float8(self), _of_float8(other))


_methods(__setitem__=_float8_written)
_methods(**{name: _float8_compared(name) for name in ("__eq__", "__ne__", "ne")})
