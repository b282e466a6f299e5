import math

import paddle

from .torchs_meaning import _tensor_method, _torch

_INTEGERS = (paddle.bool, paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64)


def _bounds(dtype, low, high, ends, usual):
    """From where up to but without where: what is given or usual, inside of what the dtype has."""
    low, high = (default if given is None else given for given, default in zip((low, high), usual))
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={low} and high={high}")
    if low > high or (low == high and dtype in _INTEGERS):
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    if high < ends[0] or low >= ends[1]:
        raise ValueError(f"[{low}, {high}) is outside of what {dtype} supports: [{ends[0]}, {ends[1]})")
    return (min(max(each, ends[0]), ends[1]) for each in (low, high))


def _whole_numbers_of(dtype, shape, low, high, device):
    if dtype == paddle.bool:
        ends, usual = (0, 2), (0, 2)
    else:
        limits = paddle.iinfo(dtype)
        ends, usual = (limits.min, limits.max + (dtype != paddle.int64)), (-9, 10)
    low, high = map(math.ceil, _bounds(dtype, low, high, ends, usual))
    return _torch("randint")(low, high, shape, dtype=dtype, device=device)


def _real_numbers_of(dtype, shape, low, high, device):
    narrow = {paddle.float8_e4m3fn: 448.0, paddle.float8_e5m2: 57344.0}
    most = narrow[dtype] if dtype in narrow else float(paddle.finfo(dtype).max)
    low, high = _bounds(dtype, low, high, (-most, most), (-9, 9))
    parts = {paddle.complex64: "float32", paddle.complex128: "float64"}.get(dtype)
    own = parts or ("float32" if dtype in narrow else dtype)
    made = paddle.empty([*shape, 2] if parts else shape, dtype=own, device=device)
    wide = 2 if high - low >= most else 1
    made = _tensor_method("uniform_")(made, low / wide, high / wide) * wide
    return paddle.as_complex(made) if parts else made.astype(dtype)


def make_tensor(
    *shape,
    dtype,
    device="cpu",
    low=None,
    high=None,
    requires_grad=False,
    noncontiguous=False,
    exclude_zero=False,
    memory_format=None,
):
    """Random numbers from low (-9; 0 for those without a sign) up to but without high."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = shape[0]
    if noncontiguous and memory_format is not None:
        raise ValueError("`noncontiguous` and `memory_format` are mutually exclusive")
    if requires_grad and dtype in _INTEGERS:
        raise ValueError(f"`requires_grad=True` is not supported for {dtype}")
    noncontiguous = noncontiguous and math.prod(shape) > 1
    whole = [*shape[:-1], 2 * shape[-1]] if noncontiguous else [*shape]
    draw = _whole_numbers_of if dtype in _INTEGERS else _real_numbers_of
    made = draw(dtype, whole, low, high, device)
    made = made[..., 1::2] if noncontiguous else made
    if exclude_zero:
        least = 1 if dtype in _INTEGERS else float(paddle.finfo(dtype).tiny)
        wide = made if made.is_complex() else made.astype("int64" if dtype in _INTEGERS else "float64")
        made = paddle.where(wide == 0, paddle.full_like(wide, least), wide).astype(dtype)
    made.stop_gradient = not requires_grad
    return made
