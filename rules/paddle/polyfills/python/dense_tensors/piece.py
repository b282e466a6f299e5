import functools
import numbers

import paddle

from .layouts import contiguous_format, preserve_format, sparse_coo, strided
from .methods_of_tensors import _methods
from .torchs_meaning import _torch


def _dense(function):
    """A function of Paddle's, which makes dense tensors, with the keywords that say so."""

    @functools.wraps(function)
    def called(*args, layout=None, memory_format=None, **options):
        if layout not in (None, strided):
            raise NotImplementedError(
                f"{function.__name__}() makes no {layout} tensors under Paddle"
            )
        if memory_format not in (None, contiguous_format, preserve_format):
            raise NotImplementedError(f"Paddle has no tensors in {memory_format}")
        return function(*args, **options)

    return called


def _sized(function):
    """The same of a function of sizes, of which the first may be a tensor of one element."""
    dense = _dense(function)

    @functools.wraps(function)
    def called(*args, **options):
        if options.get("layout") is sparse_coo and function is not paddle.ones:
            del options["layout"]
            size = args[0] if len(args) == 1 and not isinstance(args[0], int) else args
            return _torch("sparse_coo_tensor")(options.pop("size", None) or [*size], **options)
        if args and isinstance(args[0], paddle.Tensor):
            args = [size.item() if isinstance(size, paddle.Tensor) else size for size in args]
        return dense(*args, **options)

    return called


zeros, ones, empty = map(_sized, (paddle.zeros, paddle.ones, paddle.empty))
eye, _added_steps = _dense(paddle.eye), _dense(paddle.arange)
zeros_like, ones_like = _dense(paddle.zeros_like), _dense(paddle.ones_like)
empty_like, _filled_like = _dense(paddle.empty_like), _dense(paddle.full_like)
new_zeros, new_ones = _dense(paddle.Tensor.new_zeros), _dense(paddle.Tensor.new_ones)
new_empty, new_full = _dense(paddle.Tensor.new_empty), _dense(paddle.Tensor.new_full)


@functools.wraps(paddle.arange)
def arange(*args, **options):
    """Paddle adds the step up, in the dtype of the result; this multiplies it, as torch does."""
    given = dict(zip(("start", "end", "step"), args if len(args) > 1 else (0, *args), strict=False))
    given |= {name: options[name] for name in ("start", "end", "step") if name in options}
    start, step = given.get("start", 0), given.get("step", 1)
    wide = options.get("dtype") in (None, paddle.float32, paddle.float64) and options.get("out") is None
    known = all(isinstance(each, numbers.Real) for each in given.values())  # NumPy's too
    if known:
        _check_steps(start, given.get("end", start), step)
    made = _added_steps(*args, **options)
    if not (wide and known) or all(isinstance(each, numbers.Integral) for each in (start, step)):
        return made
    count = paddle.arange(made.shape[0], dtype=paddle.float64, device=made.place)
    exact = (count * float(step) + float(start)).astype(made.dtype)
    exact.stop_gradient = made.stop_gradient
    return exact


def _check_steps(start, end, step):
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


def full_like(input, fill_value, *, dtype=None, **options):
    dtype = dtype or input.dtype
    fill_value = bool(fill_value) if dtype == paddle.bool else fill_value  # Paddle's are 0 and 1 alone
    return _filled_like(input, fill_value, dtype=dtype, **options)


_methods(new_zeros=new_zeros, new_ones=new_ones, new_empty=new_empty, new_full=new_full)
