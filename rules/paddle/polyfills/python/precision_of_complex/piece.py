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


_wrap_functions(_precise, ("exp", "sigmoid", "special.expit"))
_wrap_methods(_precise, ("exp", "sigmoid"))
