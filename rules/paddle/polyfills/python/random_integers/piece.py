import paddle

from .generators import _random


def randint(*bounds, low=None, high=None, size=None, dtype=None, device=None, requires_grad=False):
    """Integers from low (0) up to but without high: randint([low,] high, size)."""
    bounds = list(bounds)
    if size is None and bounds:
        size = bounds.pop()
    if high is None and bounds:
        high = bounds.pop()
    if low is None:
        low = bounds.pop() if bounds else 0
    if bounds or high is None or size is None:
        raise TypeError("randint() takes ([low,] high, size)")
    drawn = dtype if dtype in (paddle.int32, paddle.int64) else paddle.int64
    shape = [int(length) for length in size]
    out = paddle.randint(int(low), int(high), shape, dtype=drawn)
    if dtype is not None and dtype != drawn:
        out = out.astype(dtype)
    if device is not None:
        out = out.to(device)
    out.stop_gradient = not requires_grad
    return out


randint = _random(randint)


def randint_like(input, *bounds, low=None, high=None, dtype=None, device=None, **options):
    """As randint, of the shape, dtype and device of a tensor."""
    options.pop("layout", None)
    options.pop("memory_format", None)
    where = input.place if device is None else device
    given = {"low": low, "high": high, "size": input.shape, "dtype": dtype or input.dtype}
    return randint(*bounds, **given, device=where, **options)

