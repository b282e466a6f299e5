import functools
import numbers

import numpy
import paddle

from .arrays_in_one_memory import _DTYPES_OF_BOTH, _refuse_unsigned, from_numpy
from .methods_of_tensors import _method, _methods
from .overrides import _function, _register
from .sizes import Size
from .storages import _Storage, _TypedStorage
from .torchs_meaning import _tensor_method

_DTYPES_BY_KIND = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Byte": "uint8",
    "Char": "int8",
    "Short": "int16",
    "Int": "int32",
    "Long": "int64",
    "Bool": "bool",
}


def _list_of_items(data):
    """A sequence of another kind than Paddle takes as a list, all else as it is."""
    if isinstance(data, (list, tuple, str, bytes, paddle.Tensor)) or hasattr(data, "__array__"):
        return data
    is_sequence = hasattr(data, "__len__") and hasattr(data, "__getitem__")
    return [data[n] for n in range(len(data))] if is_sequence else data


def _of_sequences(name):
    theirs = _function(name)

    @functools.wraps(theirs)
    def made(data, *args, **kwargs):
        if isinstance(data, (numpy.ndarray, numpy.generic)):
            _refuse_unsigned(data)
        try:
            return theirs(_list_of_items(data), *args, **kwargs)
        except (TypeError, ValueError, RuntimeError) as error:
            refused = None if isinstance(data, paddle.Tensor) else _why_no_tensor(data)
            if refused is None:
                raise
            raise refused from error

    return made


def _why_no_tensor(data, sizes=None, dim=0):
    """torch's error for what no tensor is made of: sequences of several lengths, texts and other objects."""
    if not isinstance(data, (list, tuple)):
        if isinstance(data, str):
            return TypeError("new(): invalid data type 'str'")
        known = isinstance(data, (numbers.Number, paddle.Tensor)) or hasattr(data, "__array__")
        return None if known else RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    if data and isinstance(data[0], str):
        return ValueError("too many dimensions 'str'")
    sizes = _sizes_of_first(data) if sizes is None else sizes
    if dim < len(sizes) and len(data) != sizes[dim]:
        return ValueError(f"expected sequence of length {sizes[dim]} at dim {dim} (got {len(data)})")
    return next(filter(None, (_why_no_tensor(each, sizes, dim + 1) for each in data)), None)


def _sizes_of_first(data):
    sizes = []
    while isinstance(data, (list, tuple)):
        sizes.append(len(data))
        data = data[0] if data else None
    return sizes


def as_tensor(data, dtype=None, device=None):
    """A tensor as it is, or converted: with its gradient."""
    if type(data) is numpy.ndarray and data.dtype.char in _DTYPES_OF_BOTH and not _to_other_device(device):
        data = from_numpy(data)
    if not isinstance(data, paddle.Tensor):
        return _tensor_of(data, dtype=dtype, device=device)
    given = {"dtype": dtype, "device": device}
    asked = {name: value for name, value in given.items() if value is not None}
    return _tensor_method("to")(data, **asked) if asked else data


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    """As as_tensor, or in memory of its own; of bytes in a storage, the elements that they are."""
    if dtype is not None and isinstance(obj, _Storage) and not isinstance(obj, _TypedStorage):
        obj = _tensor_method("view")(obj._bytes(), dtype)
    made = as_tensor(obj, dtype, device)
    made = made.clone() if copy else made
    return made.requires_grad_() if requires_grad else made


def _to_other_device(device):
    return device is None and paddle.get_device() != "cpu"


class _Kind(type):
    """The class of torch.FloatTensor and its like: such a class has the tensors of its dtype."""

    def __instancecheck__(cls, value):
        typed = isinstance(value, paddle.Tensor) and value.dtype == cls._dtype
        return typed and not value.place.is_gpu_place()

    def __call__(cls, *args, size=None, device=None):
        if all(isinstance(length, int) for length in args):
            size = size or args or (0,)
        elif len(args) == 1 and isinstance(args[0], Size):
            size = args[0]
        if size is not None:
            made = paddle.empty([*size], cls._dtype)
        elif isinstance(args[0], paddle.Tensor):
            if args[0].dtype != cls._dtype:
                raise TypeError(f"expected {cls._dtype} (got {args[0].dtype})")
            made = args[0]
        else:
            data = args[0].__array__() if hasattr(args[0], "__array__") else _list_of_items(args[0])
            made = paddle.to_tensor(data).astype(cls._dtype)
        return made if device is None else made.to(device)


def _init(self, *args, **kwargs):
    if type(self) is not paddle.Tensor:
        return  # of a class, whose objects Tensor.__new__ makes with their values
    device = kwargs.pop("device", None)
    if device is not None and not str(device).startswith("cpu"):
        raise RuntimeError(f"legacy constructor expects device type: cpu but device type: {device} was passed")
    if "size" in kwargs:
        args = (Size(kwargs.pop("size")),)
    elif device is not None and not args and not kwargs:
        args = (Size([0]),)
    if len(args) == 1 and not kwargs:
        sized = isinstance(args[0], Size)
        data = paddle.empty([*args[0]]) if sized else _list_of_items(args[0])
        if hasattr(data, "__array__") and not isinstance(data, paddle.Tensor):  # Paddle keeps an array's dtype
            data = paddle.to_tensor(data).astype(paddle.get_default_dtype())
        args = [data]
    if not kwargs and paddle.get_default_dtype() != "float32" and not isinstance((*args, None)[0], paddle.Tensor):
        args = [_of_default_dtype(args)]  # Paddle's are of float32 whatever the default is
    _of_paddle(self, *args, **kwargs)


def _of_default_dtype(args):
    if all(type(length) is int for length in args):
        return paddle.empty([*args] or [0])
    return paddle.to_tensor(args[0]).astype(paddle.get_default_dtype())


_of_paddle = _method("__init__")
_methods(__init__=_init)
_typed = {
    f"torch.{kind}Tensor": _Kind(f"{kind}Tensor", (), {"_dtype": getattr(paddle, dtype)})
    for kind, dtype in _DTYPES_BY_KIND.items()
}
_tensor_of = _of_sequences("as_tensor")
_register({}, _typed | {"torch.tensor": _of_sequences("tensor"), "torch.as_tensor": as_tensor, "torch.asarray": asarray})
