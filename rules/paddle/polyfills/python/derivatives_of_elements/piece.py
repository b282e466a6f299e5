import math

import paddle

from .computing import _is_zero
from .half_on_cpu import _is_half_on_cpu
from .promotion import _result_dtype
from .steps_of_gradients import _OPS, _conj, _has_complex, _is_recorded_for, _over, _times


def _ones(x):
    return paddle.ones_like(x)


def _one_over_root(x):
    return _over(_ones(x), _OPS.sqrt(x)) if x.is_complex() else _OPS.rsqrt(x)


def _i1_over(x, i1):
    zero = _is_zero(x)
    return paddle.where(
        zero, paddle.full_like(x, 0.5), i1 / paddle.where(zero, paddle.ones_like(x), x)
    )


def _softplus_slope(x, beta, threshold):
    return paddle.where(x * beta > threshold, _ones(x), _OPS.sigmoid(x * beta))


def _slope_within(x, low, high):
    return ((x >= low) & (x <= high)).astype(x.dtype)


def _outside(x, eps, slope):
    return paddle.where((x < eps) | (x > 1 - eps), paddle.zeros_like(x), slope)


def _zeros(x, *args, **kwargs):
    return paddle.zeros_like(x)


def _multiply(g, x, y):
    return _times(g, _conj(y)), _times(g, _conj(x))


def _divide(g, x, y):
    first = _over(g, _conj(y))
    return first, -_times(first, _conj(_over(x, y)))


def _slopes_of_power(g, x, y):
    zero = _is_zero(y)
    other = paddle.where(zero, paddle.ones_like(y), y)  # not y: x ** -1 may have no gradient
    slope = _times(other, _OPS.elementwise_pow(x, other - 1))
    of_x = _times(g, _conj(paddle.where(zero, _zeros(slope), slope)))
    at_zero = _is_zero(x) & ((paddle.real(y) if y.is_complex() else y) >= 0)
    log = _OPS.log(paddle.where(at_zero, paddle.ones_like(x), x))
    of_y = _times(_OPS.elementwise_pow(x, y), paddle.where(at_zero, _zeros(log), log))
    return of_x, _times(g, _conj(of_y))


def _absolute(g, x):
    size = _OPS.abs(x)
    return _times(
        g, _over(x, paddle.where(size == 0, paddle.ones_like(size), size).astype(x.dtype))
    )


def _phase(x):
    return _OPS.atan2(_OPS.imag(x), _OPS.real(x))


def _angle_of(g, x, y):
    squares = _OPS.square(x) + _OPS.square(y)
    return g * y / squares, -g * x / squares


def _with_sign(g, x, y):
    return g * _OPS.sign(x) * paddle.sign(_OPS.copysign(paddle.ones_like(y), y)), paddle.zeros_like(
        y
    )


def _rest(g, x, y):
    return g, -g * paddle.floor(x / y).detach()


def _of_greater(sign):
    def back(g, x, y):
        first = (sign * (x - y) >= 0) | y.isnan()
        return paddle.where(first, g, paddle.zeros_like(g)), paddle.where(
            first, paddle.zeros_like(g), g
        )

    return back


def _upper_gamma(g, x, y):
    return None, -g * _OPS.exp((x - 1) * _OPS.log(y) - y - _OPS.lgamma(x))


def _leaky(g, x, alpha, data_format="NCHW", mode="all"):
    shape = [1] * x.ndim
    if mode == "channel" and x.ndim > 1:
        shape[1 if data_format[1] == "C" else -1] = -1
    wide = alpha if mode == "element" else alpha.reshape(shape)
    below = g * x * (x <= 0).astype(x.dtype)
    axes = [i for i, n in enumerate(wide.shape) if n == 1] if mode != "element" else [0]
    of_alpha = below.sum(axes, keepdim=True) if axes else below
    return paddle.where(x > 0, g, g * wide), of_alpha.reshape(alpha.shape)


# The derivatives of functions of each element.
_DERIVATIVES = {
    "exp": lambda x: _OPS.exp(x),
    "log": lambda x: _over(_ones(x), x),
    "sin": lambda x: _OPS.cos(x),
    "cos": lambda x: -_OPS.sin(x),
    "tanh": lambda x: 1 - _OPS.square(_OPS.tanh(x)),
    "square": lambda x: 2 * x,
    "sigmoid": lambda x: _times(_OPS.sigmoid(x), 1 - _OPS.sigmoid(x)),
    "sqrt": lambda x: _over(_ones(x) / 2, _OPS.sqrt(x)),
    "rsqrt": lambda x: -0.5 * _over(_one_over_root(x), x),
    "pow": lambda x, y: y * _OPS.pow(x, y - 1) if y else _zeros(x),
    "reciprocal": lambda x: -_OPS.square(_OPS.reciprocal(x)),
    "sinh": lambda x: _OPS.cosh(x),
    "cosh": lambda x: _OPS.sinh(x),
    "tan": lambda x: 1 + _OPS.square(_OPS.tan(x)),
    "expm1": lambda x: _OPS.exp(x),
    "log1p": lambda x: _over(_ones(x), 1 + x),
    "log2": lambda x: _over(_ones(x) / math.log(2), x),
    "log10": lambda x: _over(_ones(x) / math.log(10), x),
    "asin": lambda x: _one_over_root(1 - _OPS.square(x)),
    "acos": lambda x: -_one_over_root(1 - _OPS.square(x)),
    "atan": lambda x: _over(_ones(x), 1 + _OPS.square(x)),
    "asinh": lambda x: _one_over_root(1 + _OPS.square(x)),
    "acosh": lambda x: _times(_one_over_root(x - 1), _one_over_root(x + 1)),
    "atanh": lambda x: _over(_ones(x), 1 - _OPS.square(x)),
    "erf": lambda x: 2 / math.sqrt(math.pi) * _OPS.exp(-_OPS.square(x)),
    "erfinv": lambda x: math.sqrt(math.pi) / 2 * _OPS.exp(_OPS.square(_OPS.erfinv(x))),
    "lgamma": lambda x: _OPS.digamma(x),
    "gammaln": lambda x: _OPS.digamma(x),
    "digamma": lambda x: _OPS.polygamma(x, 1),
    "polygamma": lambda x, n: _OPS.polygamma(x, n + 1),
    "softplus": lambda x, beta=1.0, threshold=20.0: _softplus_slope(x, beta, threshold),
    "clip": lambda x, low, high: _slope_within(x, low, high),
    "logsigmoid": lambda x: _OPS.sigmoid(-x),
    "logit": lambda x, eps=0.0: _outside(x, eps, 1 / (x * (1 - x))),
    "softshrink": lambda x, threshold=0.5: (x.abs() > threshold).astype(x.dtype),
    "tanh_shrink": lambda x: _OPS.square(_OPS.tanh(x)),
    "hardswish": lambda x: paddle.where(x.abs() < 3, x / 3 + 0.5, (x > 0).astype(x.dtype)),
    "hardtanh": lambda x, low=-1.0, high=1.0: ((x > low) & (x < high)).astype(x.dtype),
    "relu": lambda x: (x > 0).astype(x.dtype),
    "relu6": lambda x, *args: ((x > 0) & (x < 6)).astype(x.dtype),
    "i0": lambda x: _OPS.i1(x),
    "i0e": lambda x: _OPS.i1e(x) - x.sign() * _OPS.i0e(x),
    "i1": lambda x: _OPS.i0(x) - _i1_over(x, _OPS.i1(x)),
    "i1e": lambda x: _OPS.i0e(x) - _i1_over(x, _OPS.i1e(x)) - x.sign() * _OPS.i1e(x),
    "softsign": lambda x: 1 / _OPS.square(1 + _OPS.abs(x)),
    "hardshrink": lambda x, threshold=0.5: (x.abs() > threshold).astype(x.dtype),
    **dict.fromkeys(("floor", "ceil", "round", "trunc", "sign"), _zeros),
}
_EXACT = ("exp", "tanh")  # of real numbers Paddle has all derivatives


_BETWEEN_TENSORS = {
    "__mul__": "multiply", "__rmul__": "multiply", "__truediv__": "divide", "__rtruediv__": "divide", "__rdiv__": "divide",
    "__matmul__": "matmul", "__rmatmul__": "matmul", "__pow__": "elementwise_pow", "__rpow__": "elementwise_pow",
    "__mod__": "remainder", "__rmod__": "remainder",
}  # fmt: skip
_FOR_ALL = ("elementwise_pow", "remainder", "divide", "matmul")  # for real numbers too


def _with_second_gradient(theirs, name):
    """An operator between tensors: those in C++ do not pass by what is given here."""
    reflected, run = name.startswith("__r"), _BETWEEN_TENSORS[name]

    def operator(self, other):
        tensor = isinstance(other, paddle.Tensor)
        if not paddle.is_grad_enabled() or not (
            _is_recorded_for(self) or (tensor and _is_recorded_for(other))
        ):
            return theirs(self, other)
        is_complex = self.is_complex() or _is_complex_number(other)
        number = isinstance(other, (int, float, complex))
        if _is_half_on_cpu(self) and run in _FOR_ALL and (number or (tensor and other.dtype == self.dtype)):
            wide = other if number else other.astype(paddle.float32)
            return operator(self.astype(paddle.float32), wide).astype(self.dtype)  # Paddle lacks kernels
        if number and not reflected and not is_complex:
            return _OPS.pow(self, other) if name == "__pow__" else theirs(self, other)
        if (number or tensor) and (run in _FOR_ALL or is_complex):
            if tensor and other.dtype != self.dtype and run != "matmul":
                dtype = _result_dtype(self, other)
                return operator(self.astype(dtype), other.astype(dtype))
            if isinstance(other, complex) and not self.is_complex():
                self = self.astype(paddle.complex128 if self.dtype == paddle.float64 else paddle.complex64)
            other = paddle.full_like(self, other) if number else other
            return getattr(_OPS, run)(*((other, self) if reflected else (self, other)))
        return theirs(self, other)

    return operator


def _is_complex_number(value):
    return isinstance(value, complex) or (isinstance(value, paddle.Tensor) and value.is_complex())


# Ways back by the gradient and the arguments, and for which arguments these are taken.
_SLOPES_OF_ELEMENTS = {
    "fmax": (_of_greater(1), None),
    "fmin": (_of_greater(-1), None),
    "multiply": (_multiply, _has_complex),
    "divide": (_divide, None),
    "elementwise_pow": (_slopes_of_power, None),
    "abs": (_absolute, _has_complex),
    "atan2": (_angle_of, None),
    "copysign": (_with_sign, None),
    "remainder": (_rest, None),
    "gammaincc": (_upper_gamma, None),
    "prelu": (_leaky, None),
}


_ASSIGN_PLAINLY = [paddle._C_ops.assign_out_]  # not by its name, by which what is replaced is found


def _assign_by_choice(value, target):
    """Write a value to a tensor: the gradient of a choice has one itself, that of assign has none."""
    of_half = value.dtype == paddle.float16 or value.dtype == paddle.bfloat16  # has no choice on a CPU
    if of_half or value.dtype != target.dtype or value.shape != target.shape:
        return _ASSIGN_PLAINLY[0](value, target)
    return _OPS.where_(paddle.zeros_like(target, dtype="bool"), target, value)


# Other steps that come to the same.
_STEPS_OF_ELEMENTS = {
    "assign_out_": (_assign_by_choice, None),
    "angle": (_phase, _has_complex),
}
