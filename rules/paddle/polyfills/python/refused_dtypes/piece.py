import functools

import paddle

from .broadcast_tensors import broadcast_tensors
from .computing import _is_zero, _write
from .methods_of_tensors import _method, _methods
from .promotion import _default_dtype, _kind, _result_dtype
from .rounded_steps import _by_formula, _in_steps, _sloped, _sloped_steps, _takes_half
from .slopes import _of_logarithm_of_sum, _of_logarithm_of_two


def _instead(name, taken, ours):
    """A method that is ours for the tensors that Paddle's does not take."""
    theirs = _method(name)

    @functools.wraps(theirs)
    def method(*args, **kwargs):
        tensor = args[0] if args else kwargs.get("input")
        ours_too = isinstance(tensor, paddle.Tensor) and taken(tensor)
        return (ours if ours_too else theirs)(*args, **kwargs)

    return method


def _is_bool(tensor):
    return tensor.dtype == paddle.bool


def _is_exact_or_complex(tensor):
    return tensor.is_complex() or tensor.is_integer()


def _one_by_root(input):
    return 1 / paddle.sqrt(input)


def _highest_part(parts, *dims, **options):
    return paddle.amax(parts.detach(), *dims, **options)


def _finite(highest):
    return paddle.where(paddle.isinf(highest), paddle.zeros_like(highest), highest)


def _logarithm(total):
    """Of a sum of exponentials: that of nothing is -inf, without a gradient that is nan."""
    none = _is_zero(total)
    found = paddle.log(paddle.where(none, paddle.ones_like(total), total))
    return paddle.where(none, paddle.full_like(found, float("-inf")), found)


def _log_of_sum(dim, keepdim, r, input):
    if not input.size:
        return _method("sum")(input, dim, keepdim).log()
    dims = [dim] if isinstance(dim, int) else list(dim)
    dims = dims if input.ndim else []
    real = paddle.real(input) if input.is_complex() else input
    highest = _finite(_highest_part(real, dims or None, keepdim=True))
    total = r(r(paddle.exp(r(input - highest))).sum(dims or None, keepdim=True))
    found = r(_logarithm(total)) + highest
    return found if keepdim or not dims else found.squeeze(dims)


def _dtype_of_floats(*values):
    dtype = _result_dtype(*values)
    return dtype if _kind(dtype) > 1 else _default_dtype()


@_takes_half
def logsumexp(input, dim, keepdim=False):
    function = functools.partial(_log_of_sum, dim, keepdim)
    slopes = functools.partial(_of_logarithm_of_sum, dim=dim, keepdim=keepdim)
    if input.is_complex():  # by the result, as torch's
        return _by_formula(functools.partial(_in_steps, function, input.dtype), slopes, input)
    return _sloped_steps(function, slopes, _dtype_of_floats(input), input)


def _log_of_two(input, other):
    input, other = broadcast_tensors(input, other)
    if input.is_complex():  # the angle goes on from that of the larger
        first = paddle.real(input) >= paddle.real(other)
        high, low = paddle.where(first, input, other), paddle.where(first, other, input)
        return high + paddle.log(1 + paddle.exp(low - high))
    highest = _finite(paddle.maximum(input, other).detach())
    return _logarithm(paddle.exp(input - highest) + paddle.exp(other - highest)) + highest


@_takes_half
def logaddexp(input, other):
    return _sloped(_log_of_two, _of_logarithm_of_two, _dtype_of_floats(input, other), input, other)


def _by_products(input, vec):
    return paddle.matmul(input, vec.unsqueeze(-1)).squeeze(-1)


def _both_parts_uniform_(input, a=0, b=1, **options):
    real = paddle.uniform([*input.shape, 2], "float64", a, b)
    return paddle.assign(paddle.as_complex(real).astype(input.dtype), input)


def _is_complex_on_a_device(tensor):  # on a CPU both parts are drawn by torch's generator
    return tensor.is_complex() and not tensor.place.is_cpu_place()


_takes_complex = paddle.Tensor.is_complex

square = _instead("square", _is_bool, lambda input: input.astype(paddle.int64))
rsqrt = _instead("rsqrt", _takes_complex, _one_by_root)
mv = _instead("mv", _is_exact_or_complex, _by_products)
_methods(
    square=square,
    rsqrt=rsqrt,
    rsqrt_=_instead("rsqrt_", _takes_complex, lambda input: _write(_one_by_root(input.clone()), input)),
    logsumexp=logsumexp,
    logaddexp=logaddexp,
    mv=mv,
    uniform_=_instead("uniform_", _is_complex_on_a_device, _both_parts_uniform_),
)
