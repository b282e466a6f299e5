import math

import numpy
import paddle
import paddle.nn.functional as functional

from .computing import _of_itself
from .half_on_cpu import _is_half_on_cpu
from .rounded_steps import _takes_half

_RANKS_OF_MODES = {"linear": 3, "bilinear": 4, "trilinear": 5}


@_takes_half
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    """Images of another size: each dimension by itself, from a few places of it for each new one."""
    dims = input.ndim - 2
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError("align_corners option can only be set with the interpolating modes")
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    sizes, scales = _of_each(size, dims), _of_each(scale_factor, dims)
    lengths = input.shape[2:]
    if sizes is None:
        sizes = [math.floor(n * by) for n, by in zip(lengths, scales, strict=True)]
    sizes = [int(n) for n in sizes]
    if scale_factor is None or recompute_scale_factor:
        scales = [None] * dims
    if mode == "area":
        pool = getattr(functional, f"adaptive_avg_pool{dims}d")
        return _of_itself(lambda x: pool(x, sizes if dims > 1 else sizes[0]), input)
    if _RANKS_OF_MODES.get(mode, input.ndim) != input.ndim or (mode == "bicubic" and dims != 2):
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs another")
    real = numpy.float64 if input.dtype == paddle.float64 else numpy.float32

    def resized(x, dtype=None):
        for dim, (length, new, scale) in enumerate(zip(lengths, sizes, scales, strict=True)):
            ratio = real(1 / scale if scale else length / new)
            places, weights = _sources(mode, length, new, ratio, align_corners, antialias, real)
            if dtype is not None:
                weights = _rounded_weights(weights, dtype)
            x = _gathered(x, 2 + dim, places, weights)
        return x

    def with_rounded_weights(x):
        made = resized(x)
        return made + (resized(x, input.dtype) - made).detach()

    # those of bilinear are not rounded, nor those of antialias
    linear = not antialias and mode in ("linear", "trilinear", "bicubic")
    return _of_itself(with_rounded_weights if linear and _is_half_on_cpu(input) else resized, input)


def _rounded_weights(weights, dtype):
    """As torch has them of half; in the gradient they are not rounded."""
    if len(weights) == 2:
        near = _rounded_array(weights[1], dtype)
        return _rounded_array(1 - near, dtype), near
    return [_rounded_array(each, dtype) for each in weights]


def _rounded_array(values, dtype):
    return paddle.to_tensor(values).astype(dtype).astype("float32").numpy()


def _of_each(value, dims):
    if isinstance(value, paddle.Tensor):
        value = value.tolist()
    return [*value] if isinstance(value, (list, tuple)) else value and [value] * dims


def _gathered(x, dim, places, weights):
    if weights is None:
        return paddle.index_select(x, paddle.to_tensor(places, place=x.place), dim)
    shape = [1] * x.ndim
    shape[dim] = -1
    total = 0
    for place, weight in zip(places, weights, strict=True):
        part = paddle.index_select(x, paddle.to_tensor(place, place=x.place), dim)
        total = total + part * paddle.to_tensor(weight, dtype=x.dtype, place=x.place).reshape(shape)
    return total


def _sources(mode, length, new, ratio, align_corners, antialias, real):
    """Which places a new one is made of, and how much of each; weights are None for one place."""
    at = numpy.arange(new, dtype=real)
    if mode.startswith("nearest"):
        middle = real(0.5) if mode == "nearest-exact" else real(0)
        return numpy.minimum(numpy.floor((at + middle) * ratio), length - 1).astype("int64"), None
    if antialias:
        return _smoothed(mode, length, at, ratio, align_corners)
    if align_corners:
        at = at * real((length - 1) / (new - 1) if new > 1 else 0)
    else:
        at = (at + real(0.5)) * ratio - real(0.5)
    cubic = mode == "bicubic"
    if not cubic:
        at = numpy.maximum(at, 0)
    first = numpy.floor(at)
    taps = numpy.arange(-1, 3) if cubic else numpy.arange(2)
    distance = numpy.abs(at - first - taps[:, None])
    weights = _cubic(distance, -0.75) if cubic else 1 - distance
    return numpy.clip(first + taps[:, None], 0, length - 1).astype("int64"), weights


def _cubic(distance, a):
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((distance - 5) * distance + 8) * distance * a - 4 * a
    return numpy.where(distance <= 1, near, numpy.where(distance < 2, far, 0))


def _smoothed(mode, length, at, ratio, align_corners):
    if align_corners and len(at) > 1:
        ratio = at.dtype.type((length - 1) / (len(at) - 1))
    wide = max(ratio, 1)
    reach = (2 if mode == "bicubic" else 1) * wide
    middle = (at + 0.5) * ratio
    first = numpy.maximum((middle - reach + 0.5).astype("int64"), 0)
    count = numpy.minimum((middle + reach + 0.5).astype("int64"), length) - first
    taps = numpy.arange(count.max())[:, None]
    distance = numpy.abs((taps + first - middle + 0.5) / wide)
    weights = _cubic(distance, -0.5) if mode == "bicubic" else numpy.maximum(1 - distance, 0)
    weights = numpy.where(taps < count, weights, 0)
    return numpy.minimum(first + taps, length - 1), weights / weights.sum(0)
