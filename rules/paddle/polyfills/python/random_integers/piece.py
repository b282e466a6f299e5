import numpy
import paddle

from .generators import _filled_by, _random, default_generator


def _whole_numbers(tensor, low, high, generator):
    """The tensor, filled with numbers from low up to but without high."""
    own, wide = generator or default_generator, high - low >= 2**28

    def draw(count, dense):
        return own._whole(count, high - low, wide).astype("int64") + numpy.int64(low)

    return _filled_by(tensor, draw)


def randint(
    *bounds, low=None, high=None, size=None, generator=None, out=None, dtype=None, layout=None, device=None,
    pin_memory=False, requires_grad=False,
):  # fmt: skip
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
    low, high = int(low), int(high)
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    dtype, shape = dtype or paddle.int64, [int(length) for length in size]
    made = paddle.empty(shape, dtype=dtype, device=device)
    if made.place.is_cpu_place():
        _whole_numbers(made, low, high, generator)
    else:
        drawn = dtype if dtype in (paddle.int32, paddle.int64) else paddle.int64
        made = _random(paddle.randint)(low, high, shape, dtype=drawn, generator=generator)
        made = made.astype(dtype).to(device or made.place)
    made.stop_gradient = not requires_grad
    return made if out is None else paddle.assign(made, out)


def randint_like(input, *bounds, low=None, high=None, dtype=None, device=None, **options):
    """As randint, of the shape, dtype and device of a tensor."""
    options.pop("memory_format", None)
    where = input.place if device is None else device
    given = {"low": low, "high": high, "size": input.shape, "dtype": dtype or input.dtype}
    return randint(*bounds, **given, device=where, **options)
