import paddle

from .methods_of_tensors import _members
from .pythons_types_as_dtypes import _of_dtype

_NOT_OF_MODULES = (paddle.bool, paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64)
_layer_to = paddle.nn.Layer.to


def _cast_floats(self, dtype):
    return self._to_impl(dtype=dtype, include_sublayers=True, floating_only=True)


def _of_complex(layer):
    """The complex tensors of a layer and of those in it, in the table that has them."""
    for each in layer.sublayers(include_self=True):
        for table in (each._parameters, each._buffers):
            yield from ((table, name) for name, v in table.items() if v is not None and v.is_complex())


def _module_to(self, device=None, dtype=None, non_blocking=False, *, tensor=None, memory_format=None, blocking=None):
    """Paddle's, with a dtype or a tensor in the place of the device: of its tensors, those of integers keep theirs."""
    like = device if isinstance(device, paddle.Tensor) else tensor
    if like is not None:
        device, dtype = like.place, like.dtype
    elif isinstance(device, (type, type(paddle.float32))):
        device, dtype = None, device
    dtype = _of_dtype(dtype) if isinstance(dtype, type) else dtype
    if dtype in _NOT_OF_MODULES:
        said = str(dtype).replace("paddle", "torch")
        raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={said}")
    if device is not None:
        _layer_to(self, device, blocking=blocking)
    if dtype is not None:
        _cast_floats(self, dtype)
        for table, name in [*_of_complex(self)]:
            table[name] = self._transform(table[name], None, dtype, None)
    return self


def _as_float(self):
    return _cast_floats(self, paddle.float32)


def _as_double(self):
    return _cast_floats(self, paddle.float64)


def _as_half(self):
    return _cast_floats(self, paddle.float16)


def _as_bfloat16(self):
    return _cast_floats(self, paddle.bfloat16)


_members(
    paddle.nn.Layer, to=_module_to, float=_as_float, double=_as_double, half=_as_half, bfloat16=_as_bfloat16
)
