import math

import paddle

from .computing import _float_of

_EULER = 0.5772156649015329
_NO_BESSEL = (paddle.float16, paddle.bfloat16, paddle.complex64, paddle.complex128)


def _bessel(name, function):
    """A function of double for any real numbers, without gradients, as torch has none of it."""

    def computed(input):
        if input.dtype in _NO_BESSEL:
            kind = {"float16": "Half", "bfloat16": "BFloat16", "complex64": "ComplexFloat", "complex128": "ComplexDouble"}
            raise NotImplementedError(f'"{name}_cpu" not implemented for \'{kind[str(input.dtype).rpartition(".")[2]]}\'')
        with paddle.no_grad():
            return _float_of(lambda x: function(x.astype(paddle.float64)).astype(x.dtype), input.detach())

    computed.__name__ = name
    return computed


def _choice(condition, where_true, where_false, x, safe_true, safe_false):
    """One of two formulas for each element: each is computed with a safe number where the other one is meant."""
    inside = where_true(paddle.where(condition, x, paddle.full_like(x, safe_true)))
    outside = where_false(paddle.where(condition, paddle.full_like(x, safe_false), x))
    return paddle.where(condition, inside, outside)


def _power_series(order, x, sign):
    """Of J (sign -1) or I (sign 1) of order 0 or 1."""
    quarter = sign * x * x / 4
    term = total = paddle.ones_like(x) if order == 0 else x / 2
    for k in range(1, 30):
        term = term * quarter / (k * (k + order))
        total = total + term
    return total


def _j_by_angles(order, x):
    """The integral of cos(n t - x sin t) over a period, whose sum by equal steps is exact as soon as they are short."""
    steps, total = 96, 0.0
    for k in range(steps):
        angle = (k + 0.5) * math.pi / steps
        total = total + paddle.cos(order * angle - x * math.sin(angle))
    return total / steps


def _far_parts(order, x):
    """The two series of Hankel's expansion."""
    even, odd, term = paddle.ones_like(x), paddle.zeros_like(x), paddle.ones_like(x)
    for k in range(1, 31):
        term = term * ((4 * order * order - (2 * k - 1) ** 2) / (8.0 * k)) / x
        sign = -1 if k // 2 % 2 else 1
        even, odd = (even, odd + sign * term) if k % 2 else (even + sign * term, odd)
    return even, odd


def _far_cylinder(order, x, second):
    """J, or Y, of a large number: of cosine and sine of x - pi (2 n + 1) / 4."""
    even, odd = _far_parts(order, x)
    sine, cosine = paddle.sin(x), paddle.cos(x)
    at_cosine, at_sine = (cosine + sine, sine - cosine) if order == 0 else (sine - cosine, -(sine + cosine))
    made = even * at_sine + odd * at_cosine if second else even * at_cosine - odd * at_sine
    return made / paddle.sqrt(math.pi * x)


def _near_j(order, x):
    return _choice(x < 3, lambda v: _power_series(order, v, -1), lambda v: _j_by_angles(order, v), x, 1.0, 4.0)


def _of_size(order):
    """J of an order, of numbers of either sign."""

    def function(x):
        size = x.abs()
        made = _choice(size < 25, lambda v: _near_j(order, v), lambda v: _far_cylinder(order, v, False), size, 1.0, 30.0)
        made = paddle.where(paddle.isfinite(x), made, paddle.full_like(made, math.nan))
        return paddle.where(size > 0, paddle.where(x < 0, -made, made), x) if order else made

    return function


def _near_y(order, x):
    """Neumann's series: the functions J of all orders of the same parity."""
    total = paddle.zeros_like(x)
    for k in range(1, 32):
        sign = -1 if k % 2 else 1
        factor = sign / k if order == 0 else sign * (2 * k + 1) / (k * (k + 1))
        total = total + factor * _j_by_angles(2 * k + order, x)
    first = (paddle.log(x / 2) + _EULER - order) * _near_j(order, x) - (2 - order) * total
    return 2 / math.pi * (first - (0 if order == 0 else _near_j(0, x) / x))


def _second_kind(order):
    def function(x):
        made = _choice(x < 25, lambda v: _near_y(order, v), lambda v: _far_cylinder(order, v, True), x.clip(min=0.0), 1.0, 30.0)
        made = paddle.where(x > 0, made, paddle.full_like(made, -math.inf))
        return paddle.where((x < 0) | ~paddle.isfinite(x), paddle.full_like(made, math.nan), made)

    return function


def _falling(x):
    """exp(-x), which is 0 of what is large: Paddle's ends at a number near 0."""
    return paddle.where(x < 708, paddle.exp(-x), paddle.zeros_like(x))


def _near_k(order, x):
    quarter = x * x / 4
    term = paddle.ones_like(x) if order == 0 else x / 4
    harmonic = 0.0 if order == 0 else 1.0 - 2 * _EULER
    total = paddle.zeros_like(x) if order == 0 else -harmonic * term
    for k in range(1, 25):
        term = term * quarter / (k * (k + order))
        harmonic += 1 / k if order == 0 else 1 / k + 1 / (k + 1)
        total = total + (term * harmonic if order == 0 else -term * harmonic)
    bent = paddle.log(x / 2) * _power_series(order, x, 1)
    return total - bent - _EULER * _power_series(0, x, 1) if order == 0 else 1 / x + bent + total


def _far_k(order, x):
    """exp(x) K: the integral of exp(-x (cosh t - 1)) cosh(n t), by equal steps of t."""
    step = 0.3 / paddle.sqrt(x)
    total = 0.5 * paddle.ones_like(x)
    for k in range(1, 36):
        half = paddle.sinh(k * step / 2)
        total = total + paddle.exp(-2 * x * half * half) * paddle.cosh(order * k * step)
    return step * total


def _modified(order, scaled):
    def function(x):
        def near(v):
            return _near_k(order, v) * paddle.exp(v) if scaled else _near_k(order, v)

        def far(v):
            return _far_k(order, v) if scaled else _far_k(order, v) * _falling(v)

        made = _choice(x <= 2, near, far, x.clip(0.0, 1e300), 1.0, 3.0)
        made = paddle.where(x > 0, made, paddle.full_like(made, math.inf))  # Paddle's x == 0 holds near 0, too
        made = paddle.where(paddle.isinf(x), paddle.zeros_like(made), made)
        return paddle.where((x < 0) | paddle.isnan(x), paddle.full_like(made, math.nan), made)

    return function


def _airy_series(x):
    cube = x * x * x
    first = term_of_first = paddle.ones_like(x)
    second = term_of_second = x
    for k in range(1, 30):
        term_of_first = term_of_first * cube / ((3 * k - 1) * (3 * k))
        term_of_second = term_of_second * cube / ((3 * k) * (3 * k + 1))
        first, second = first + term_of_first, second + term_of_second
    return 0.3550280538878172 * first - 0.2588194037928068 * second


def _airy_by_angles(x):
    """The integral of exp(i (t^3 / 3 + x t)) along a line beside the real axis, by equal steps."""
    aside, step = 0.6, 0.1
    total = 0.0
    for k in range(85):  # the other half of the line has the same real parts
        t = complex(k * step, aside)
        fixed = 1j * t**3 / 3
        total = total + (1.0 if k else 0.5) * math.exp(fixed.real) * paddle.cos(fixed.imag + x * t.real)
    return step / math.pi * total * paddle.exp(-x * aside)


def _airy_far_below(x):
    size = -x
    zeta = 2 / 3 * size * paddle.sqrt(size)
    even, odd, factor = paddle.ones_like(x), paddle.zeros_like(x), paddle.ones_like(x)
    for k in range(1, 25):
        factor = factor * ((6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216.0 * k * (2 * k - 1))) / zeta
        sign = -1 if k // 2 % 2 else 1
        even, odd = (even, odd + sign * factor) if k % 2 else (even + sign * factor, odd)
    sine, cosine = paddle.sin(zeta), paddle.cos(zeta)
    made = even * (cosine + sine) + odd * (sine - cosine)
    return made / paddle.sqrt(2 * math.pi * paddle.sqrt(size))


def _airy_above(x):
    zeta = 2 / 3 * x * paddle.sqrt(x)
    return paddle.sqrt(x / 3) / math.pi * _far_k(1 / 3, zeta) * _falling(zeta)


def _airy(x):
    def below(v):
        return _choice(v < -9, _airy_far_below, _airy_by_angles, v, -10.0, -5.0)

    def near(v):
        return _choice(v < -2, below, _airy_series, v, -5.0, 0.0)

    made = _choice(x > 2, _airy_above, near, x.clip(max=1e4), 5.0, 0.0)
    return paddle.where(paddle.isinf(x) | paddle.isnan(x), paddle.full_like(made, math.nan), made)


def _modified_first(x):
    """I of order 1, of which Paddle's is 0 near 0."""
    made = paddle.where(x.abs() < 1e-4, x / 2 * (1 + x * x / 8), paddle.i1(x))
    return paddle.where(x.abs() > 0, made, x.abs())


def _spherical(x):
    size = x.abs()

    def near(v):
        square, total = v * v, paddle.ones_like(v)
        for k in range(9, 0, -1):
            total = 1 - square / (2 * k * (2 * k + 1)) * total
        return total

    made = _choice(size < 0.5, near, lambda v: paddle.sin(v) / v, x.clip(-1e300, 1e300), 0.0, 1.0)
    return paddle.where(paddle.isinf(x), paddle.zeros_like(made), paddle.where(paddle.isnan(x), x, made))


bessel_j0, bessel_j1 = _bessel("bessel_j0", _of_size(0)), _bessel("bessel_j1", _of_size(1))
bessel_y0, bessel_y1 = _bessel("bessel_y0", _second_kind(0)), _bessel("bessel_y1", _second_kind(1))
modified_bessel_k0 = _bessel("modified_bessel_k0", _modified(0, False))
modified_bessel_k1 = _bessel("modified_bessel_k1", _modified(1, False))
scaled_modified_bessel_k0 = _bessel("scaled_modified_bessel_k0", _modified(0, True))
scaled_modified_bessel_k1 = _bessel("scaled_modified_bessel_k1", _modified(1, True))
modified_bessel_i0 = _bessel("modified_bessel_i0", paddle.i0)
modified_bessel_i1 = _bessel("modified_bessel_i1", _modified_first)
spherical_bessel_j0 = _bessel("spherical_bessel_j0", _spherical)
airy_ai = _bessel("airy_ai", _airy)
