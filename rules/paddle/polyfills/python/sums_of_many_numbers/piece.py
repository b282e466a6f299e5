import functools
import math

import paddle

_MANY = 4096  # numbers that are added up


def _count_added(x, axis):
    """How many numbers of a tensor are added up for each of the results."""
    if axis is None or isinstance(axis, paddle.Tensor) or axis == []:
        return x._numel()
    axes = axis if isinstance(axis, (list, tuple)) else (axis,)
    return math.prod(x.shape[int(each)] for each in axes if -x.ndim <= each < x.ndim)


def _in_double(theirs):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        x = args[0] if args else kwargs.get("x", kwargs.get("input"))
        if not isinstance(x, paddle.Tensor) or x.dtype is not paddle.float32 or x._numel() < _MANY:
            return theirs(*args, **kwargs)
        if not x.place.is_cpu_place():
            return theirs(*args, **kwargs)
        axis = args[1] if len(args) > 1 else kwargs.get("axis", kwargs.get("dim"))
        if _count_added(x, axis) < _MANY or kwargs.get("out") is not None:
            return theirs(*args, **kwargs)
        wide = x.astype(paddle.float64)
        made = theirs(wide, *args[1:], **kwargs) if args else theirs(**{**kwargs, "x" if "x" in kwargs else "input": wide})
        return made.astype(paddle.float32) if made.dtype == paddle.float64 and not _asks_for_double(args, kwargs) else made

    return run


def _asks_for_double(args, kwargs):
    return paddle.float64 in (each for each in (*args[1:], *kwargs.values()) if isinstance(each, paddle.dtype))


def _cumulative_in_double(theirs):
    @functools.wraps(theirs)
    def run(*args, **kwargs):
        x = args[0] if args else None
        if not isinstance(x, paddle.Tensor) or x.dtype != paddle.float32 or not x.place.is_cpu_place():
            return theirs(*args, **kwargs)
        if kwargs.get("out") is not None:
            return theirs(*args, **kwargs)
        return theirs(x.astype(paddle.float64), *args[1:], **kwargs).astype(paddle.float32)

    return run


for _cumulative in ("cumsum", "cumprod", "logcumsumexp"):
    setattr(paddle._C_ops, _cumulative, _cumulative_in_double(getattr(paddle._C_ops, _cumulative)))
for _summing in ("sum", "mean"):  # looked up at each call, by Paddle's functions and methods as well
    setattr(paddle._C_ops, _summing, _in_double(getattr(paddle._C_ops, _summing)))
