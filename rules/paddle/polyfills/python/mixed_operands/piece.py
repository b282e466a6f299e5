import functools

import numpy
import paddle

from .methods_of_tensors import _method, _methods, _unchanged_if_plain
from .overrides import _function, _register
from .promotion import _kind, _result_dtype


@_unchanged_if_plain
def _of_two_dtypes(theirs, in_place=False):
    @functools.wraps(theirs)
    def method(input, *args, **kwargs):
        key = "exponent" if "exponent" in kwargs else "other"
        other = args[0] if args else kwargs.get(key)
        tensors = isinstance(other, paddle.Tensor) and isinstance(input, paddle.Tensor)
        if type(other) is numpy.ndarray and other.ndim and isinstance(input, paddle.Tensor):
            return method(input, paddle.to_tensor(other, place=input.place), *args[1:])
        if tensors and other.dtype != input.dtype:
            dtype = _result_dtype(input, other)
            if in_place and _kind(dtype) > _kind(input.dtype):
                raise RuntimeError(f"result type {dtype} can't be cast to {input.dtype}")
            other = other.astype(input.dtype if in_place else dtype)
            input = input if in_place else input.astype(dtype)
            args, kwargs = ((other, *args[1:]), kwargs) if args else (args, {**kwargs, key: other})
        return theirs(input, *args, **kwargs)

    return method


_BINARY = [f"__{name}__" for name in "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split()]
_BINARY += (
    "add sub subtract mul multiply div divide remainder pow eq ne lt le gt ge maximum minimum "
    "add_ sub_ subtract_ mul_ multiply_ div_ divide_"
).split()
# By then those of larger_dtypes, which want operands of one dtype.
_methods(
    **{
        name: _of_two_dtypes(_method(name), name.endswith("_") and not name.endswith("__"))
        for name in _BINARY
        if hasattr(paddle.Tensor, name)
    }
)
_FUNCTIONS_OF_TWO = (
    "add sub subtract mul multiply div divide true_divide remainder fmod floor_divide pow eq ne lt le gt ge "
    "not_equal less less_equal greater greater_equal fmax fmin"
).split()
_register(
    {},
    {f"torch.{name}": _of_two_dtypes(_function(name)) for name in _FUNCTIONS_OF_TWO if _function(name)},
)
