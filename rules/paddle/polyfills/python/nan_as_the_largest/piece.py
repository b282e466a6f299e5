import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods

_FLOATS_BY_ID = frozenset(map(id, (paddle.float32, paddle.float64, paddle.float16, paddle.bfloat16)))
_WIDER_FLOATS = (paddle.float32, paddle.float64)
_NAN_KERNELS = paddle._C_ops


def _has_nan(tensor):
    """Whether a tensor may have NaN: on a CPU by its sum, which costs less than to look at each element. Elsewhere it may:
    to know would wait for the device."""
    if not tensor.place.is_cpu_place():
        return True
    return bool(_NAN_KERNELS.isnan(_NAN_KERNELS.sum(tensor.detach(), [], None, False)))


def _first_nan(nans, dim, keepdim):
    return paddle.argmax(nans.astype("int32"), dim, keepdim), nans.any(dim, keepdim)


def _place_of_nan(theirs, _):
    @functools.wraps(theirs)
    def find(input, dim=None, keepdim=False, **options):
        found = theirs(input, dim, keepdim, **options)
        if id(getattr(input, "dtype", None)) not in _FLOATS_BY_ID or not input.ndim or not _has_nan(input):
            return found
        places, there = _first_nan(paddle.isnan(input), dim, keepdim)
        return paddle.where(there, places.astype(found.dtype), found)

    return find


def _nan_and_its_place(theirs, _):
    @functools.wraps(theirs)
    def find(input, *args, **options):
        found = theirs(input, *args, **options)
        if type(found) is paddle.Tensor or id(getattr(input, "dtype", None)) not in _FLOATS_BY_ID:
            return found
        if not input.ndim or not _has_nan(input):
            return found
        dim, keepdim = _along(*args, **options)
        places, there = _first_nan(paddle.isnan(input), dim, True)
        wide = input if input.dtype in _WIDER_FLOATS else input.astype("float32")  # what Paddle has kernels of on a CPU
        values = paddle.take_along_axis(wide, places, dim, broadcast=False)
        if not keepdim:
            places, there, values = (each.squeeze(dim) for each in (places, there, values))
        values = paddle.where(there, values, found[0].astype(wide.dtype)).astype(input.dtype)
        pair = values, paddle.where(there, places.astype(found[1].dtype), found[1])
        return getattr(type(found), "_make", type(found))(pair)

    return find


def _along(dim=None, keepdim=False, **_):
    return dim, keepdim


_wrap_functions(_place_of_nan, ["argmax", "argmin"])
_wrap_methods(_place_of_nan, ["argmax", "argmin"])
_wrap_functions(_nan_and_its_place, ["max", "min"])
_wrap_methods(_nan_and_its_place, ["max", "min"])
