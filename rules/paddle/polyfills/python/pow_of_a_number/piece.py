import functools

import paddle

from .half_on_cpu import _is_half_on_cpu
from .methods_of_tensors import _method, _wrap_methods
from .overrides import _register
from .promotion import _kind, _result_dtype
from .rounded_steps import _by_formula, _sloped
from .slopes import _of_power


_power_of_any = _method("pow")


def _refuse_negative_power(input, exponent):
    """Refuse what torch does: Paddle computes such a power of integers for hours."""
    whole = isinstance(input, paddle.Tensor) and not (input.is_floating_point() or input.is_complex())
    if whole and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")


def _in_dtype_of_power(input, exponent):
    """Of integers by a number that is none: as torch computes it, where Paddle rounds the number."""
    if isinstance(input, paddle.Tensor) and isinstance(exponent, (int, float, complex)):
        dtype = _result_dtype(input, exponent)
        input = input.astype(dtype) if _kind(dtype) > _kind(input.dtype) else input
        exponent = paddle.full_like(input, exponent) if isinstance(exponent, complex) else exponent
    return input, exponent


def _refusing_negative_powers(theirs, name):
    @functools.wraps(theirs)
    def method(self, exponent):
        _refuse_negative_power(self, exponent)
        if not name.endswith("_"):
            self, exponent = _in_dtype_of_power(self, exponent)
        if isinstance(exponent, paddle.Tensor) and not name.endswith("_") and self.dtype != exponent.dtype:
            return pow(self, exponent)
        return theirs(self, exponent)

    return method


def pow(input, exponent, **kwargs):
    """input to the power of exponent, one of which may be a number."""
    _refuse_negative_power(input, exponent)
    input, exponent = _in_dtype_of_power(input, exponent)
    both = isinstance(input, paddle.Tensor) and isinstance(exponent, paddle.Tensor)
    if both and input.dtype == exponent.dtype and _is_half_on_cpu(input):
        return _sloped(paddle.pow, _of_power, input.dtype, input, exponent)
    if both and input.is_complex():
        return _by_formula(paddle.pow, _of_power, input, exponent)  # Paddle's lacks the conjugates
    if both and input.dtype != exponent.dtype:
        dtype = _result_dtype(input, exponent)
        return pow(input.astype(dtype), exponent.astype(dtype))
    if isinstance(input, paddle.Tensor):
        return _power_of_any(input, exponent, **kwargs)
    return input**exponent


_register({}, {"torch.pow": pow})
_wrap_methods(_refusing_negative_powers, ["pow", "__pow__", "pow_"])
