import paddle
import paddle.nn.functional as functional

from .computing import _refuse_leaf
from .rounded_steps import _by_formula


def relu(input, inplace=False):
    if not input.is_floating_point():  # Paddle has no kernels of integers
        return _into(input, input.clip(min=0), inplace)
    if inplace:
        _refuse_leaf(input)
        return functional.relu_(input)
    return functional.relu(input)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    if not input.place.is_cpu_place():
        return (functional.leaky_relu_ if inplace else functional.leaky_relu)(input, negative_slope)
    # On a CPU Paddle's gradient at 0 is that of positive numbers.
    return _into(input, paddle.where(input > 0, input, input * negative_slope), inplace)


def leaky_relu_(input, negative_slope=0.01):
    return leaky_relu(input, negative_slope, inplace=True)


def elu(input, alpha=1.0, inplace=False):
    return _into(input, functional.elu(_kept(input, inplace), alpha), inplace)


def _into(input, made, inplace):
    if not inplace:
        return made
    _refuse_leaf(input)
    return paddle.assign(made, input)


def _kept(input, inplace):
    """What an activation is computed of: a copy, if the gradient reads what is written to."""
    return input.clone() if inplace and not input.stop_gradient and paddle.is_grad_enabled() else input


def relu6(input, inplace=False):
    return _into(input, functional.relu6(_kept(input, inplace)), inplace)


def _selu_of_any(x):
    """In double precision with such constants, which Paddle rounds to single."""
    if x.dtype != paddle.float64:
        return functional.selu(x)
    below = 1.6732632423543772848170429916717 * paddle.expm1(paddle.clip(x, max=0.0))
    return 1.0507009873554804934193349852946 * paddle.where(x > 0, x, below)


def selu(input, inplace=False):
    return _into(input, _selu_of_any(_kept(input, inplace)), inplace)


def _slopes_of_celu(r, grad, out, x, alpha):
    """0 far below 0, where Paddle's are NaN."""
    below = paddle.exp(paddle.clip(x, max=0.0) / alpha)
    return (grad * paddle.where(x > 0, paddle.ones_like(x), below),)


def celu(input, alpha=1.0, inplace=False):
    return _into(input, _by_formula(functional.celu, _slopes_of_celu, _kept(input, inplace), alpha, node="Celu"), inplace)


def hardswish(input, inplace=False):
    return _into(input, functional.hardswish(_kept(input, inplace)), inplace)


def hardsigmoid(input, inplace=False):
    return _into(input, functional.hardsigmoid(_kept(input, inplace)), inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if not input.is_floating_point():
        return _into(input, input.clip(int(min_val), int(max_val)), inplace)
    return _into(input, functional.hardtanh(_kept(input, inplace), min_val, max_val), inplace)


def tanhshrink(input):
    return functional.tanhshrink(input)


def softsign(input):
    return functional.softsign(input)
