"""The tensors that examples are given: the same bytes for every framework. Needs only numpy."""

import math

import numpy as np

SPECIAL = [math.nan, 1.5, math.inf, -0.0, -math.inf, 0.0, math.nan, -2.0]
DECOY = 77  # what stands between the elements of a slice


def arrays(point):
    """For each name: (dtype, buffer, shape, strides, offset), in elements.

    Buffers of bfloat16 are the bits, as uint16.
    """
    dtype, shape, layout = point["dtype"], tuple(point["shape"]), point["layout"]
    rng = np.random.RandomState(sum(shape) * 7 + len(shape))
    count = math.prod(shape)
    drawn = point["drawn"]
    x = _drawn(dtype, count, rng, drawn) if drawn else _numbers(dtype, count, rng)
    if layout == "special":
        x, layout = np.array(SPECIAL), "contiguous"
    y = _drawn(dtype, count, rng, drawn) if drawn else _numbers(dtype, count, rng, nonzero=True)
    mask = rng.randint(0, 2, count)
    found = {
        "x": _placed(dtype, x, shape, layout),
        "y": _placed(dtype, y, shape, layout),
        "m": _placed("bool", mask, shape, layout),
    }
    for name, spec in sorted(point["inputs"].items()):
        found[name] = _extra(spec, dtype, shape, rng)
    return found


def _extra(spec, dtype, shape, rng):
    dtype = {"x": dtype}.get(spec.get("dtype", "float32"), spec.get("dtype", "float32"))
    if "values" in spec:
        given = np.array(spec["values"])
        return _placed(dtype, given.ravel(), given.shape, spec.get("layout", "contiguous"))
    shape = shape if spec.get("shape", "x") == "x" else tuple(spec["shape"])
    count = math.prod(shape)
    if "low" in spec or "high" in spec:
        numbers = _drawn(dtype, count, rng, spec)
    else:
        numbers = _numbers(dtype, count, rng)
    return _placed(dtype, numbers, shape, spec.get("layout", "contiguous"))


def _drawn(dtype, count, rng, spec):
    low, high = spec.get("low", 0), spec.get("high", 8)
    if dtype.startswith(("float", "bfloat", "complex")):
        return np.round(rng.uniform(low, high, count) * 8) / 8
    return rng.randint(low, high, count)


def _numbers(dtype, count, rng, nonzero=False):
    """Distinct for x; without zero for y, so that integers may be divided by it."""
    if dtype == "bool":
        return rng.randint(0, 2, count)
    order = rng.permutation(count)
    if dtype.startswith(("float", "bfloat", "complex")):
        return (order - count // 2) * 0.75 + (0.375 if nonzero else 0.5)
    if not nonzero:
        return order if dtype.startswith("uint") else order - count // 3
    numbers = order % 3 + 1
    return numbers if dtype.startswith("uint") else numbers * np.where(order % 2, 1, -1)


def _placed(dtype, numbers, shape, layout):
    strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    offset, size = 0, math.prod(shape)
    if layout == "transposed":
        order = shape[::-1]
        strides = [math.prod(order[i + 1 :]) for i in range(len(order))][::-1]
    elif layout == "sliced":
        strides = [math.prod(shape[i + 1 : -1]) * (2 * shape[-1] + 1) for i in range(len(shape))]
        strides[-1], offset = 2, 1
        size = math.prod(shape[:-1]) * (2 * shape[-1] + 1)
    buffer = _typed(dtype, np.full(size, DECOY))
    if len(numbers):
        step = buffer.itemsize
        view = np.lib.stride_tricks.as_strided(
            buffer[offset:], shape, [stride * step for stride in strides]
        )
        view[...] = _typed(dtype, numbers).reshape(shape)
    return dtype, buffer, shape, tuple(strides), offset


def _typed(dtype, numbers):
    if dtype == "bfloat16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return numbers.astype(dtype)
