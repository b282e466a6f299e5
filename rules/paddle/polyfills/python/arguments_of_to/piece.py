import paddle

from .device_class import device

_NAMES = ("device", "dtype", "non_blocking", "copy")


def _parse_to(*args, memory_format=None, **kwargs):
    """(device, dtype, non_blocking, memory_format) of `to(device, dtype)`, `to(dtype)`, `to(tensor)`."""
    tensor = kwargs.pop("tensor", None)
    if args and isinstance(args[0], paddle.Tensor):
        tensor, *args = args
    if tensor is not None:
        args = [tensor.device, tensor.dtype, *args]
    elif args and isinstance(args[0], paddle.dtype):
        args = [None, *args]
    given = dict(zip(_NAMES, args, strict=False))
    if len(args) > len(_NAMES) or given.keys() & kwargs.keys() or kwargs.keys() - {*_NAMES}:
        raise TypeError(f"to() received an invalid combination of arguments: {args}, {kwargs}")
    given |= kwargs
    if given.get("copy"):
        raise RuntimeError(".to() does not accept copy argument")
    where, dtype = given.get("device"), given.get("dtype")
    if not (dtype is None or isinstance(dtype, paddle.dtype)):
        raise TypeError(f"to() received an invalid combination of arguments: {args}, {kwargs}")
    where = None if where is None else device(where)
    return where, dtype, bool(given.get("non_blocking", False)), memory_format
