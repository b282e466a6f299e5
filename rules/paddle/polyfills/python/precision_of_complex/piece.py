import functools

import paddle

from .methods_of_tensors import _wrap_functions, _wrap_methods


def _exponential(x):
    size, angle = paddle.exp(paddle.real(x)), paddle.imag(x)
    return paddle.complex(size * paddle.cos(angle), size * paddle.sin(angle))


def _logistic(x):
    return 1 / (1 + _exponential(-x))


def _precise(theirs, name):
    ours = _exponential if name == "exp" else _logistic

    @functools.wraps(theirs)
    def run(input, *args, **kwargs):
        if (
            isinstance(input, paddle.Tensor)
            and input.dtype == paddle.complex128
            and not args
            and not kwargs
        ):
            return ours(input)
        return theirs(input, *args, **kwargs)

    return run


def _with_right_slope(theirs, _):
    """acosh, whose gradient of complex numbers left of 0 has the wrong sign in Paddle."""

    @functools.wraps(theirs)
    def run(input, *args, **kwargs):
        found = theirs(input, *args, **kwargs)
        if not isinstance(input, paddle.Tensor) or not input.is_complex() or input.stop_gradient or found.stop_gradient:
            return found
        same = (input + paddle.sqrt(input + 1) * paddle.sqrt(input - 1)).log()
        return found.detach() + (same - same.detach())

    return run


_wrap_functions(_with_right_slope, ("acosh", "arccosh"))
_wrap_methods(_with_right_slope, ("acosh", "arccosh"))
_wrap_functions(_precise, ("exp", "sigmoid", "special.expit"))
_wrap_methods(_precise, ("exp", "sigmoid"))
