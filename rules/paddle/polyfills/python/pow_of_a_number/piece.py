import paddle

from .half_on_cpu import _is_half_on_cpu
from .overrides import _register
from .rounded_steps import _by_formula, _sloped
from .slopes import _of_power


def pow(input, exponent, **kwargs):
    """input to the power of exponent, one of which may be a number."""
    both = isinstance(input, paddle.Tensor) and isinstance(exponent, paddle.Tensor)
    if both and input.dtype == exponent.dtype and _is_half_on_cpu(input):
        return _sloped(paddle.pow, _of_power, input.dtype, input, exponent)
    if both and input.is_complex():
        return _by_formula(paddle.pow, _of_power, input, exponent)  # Paddle's lacks the conjugates
    if isinstance(input, paddle.Tensor):
        return paddle.pow(input, exponent, **kwargs)
    return input**exponent


_register({}, {"torch.pow": pow})
