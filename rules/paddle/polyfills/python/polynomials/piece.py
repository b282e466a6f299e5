import paddle

from .broadcast_tensors import broadcast_tensors
from .computing import _in_floats


def _by_recurrence(begin, step):
    """A polynomial of each degree up to the highest by a recurrence; 0 for degrees below 0."""

    def polynomial(input, n, *, out=None):
        def computed(x, degree):
            x, degree = broadcast_tensors(x, degree)
            found = paddle.where(degree == 0, paddle.ones_like(x), paddle.zeros_like(x))
            before, now = paddle.ones_like(x), begin(x)
            for k in range(1, highest + 1):
                found = paddle.where(degree == k, now, found)
                before, now = now, step(x, k, now, before)
            return found

        with paddle.no_grad():
            highest = int(n.astype(paddle.int64).max()) if isinstance(n, paddle.Tensor) and n.size else n if isinstance(n, int) else 0
            made = _in_floats(computed, input, n.astype(paddle.int64) if isinstance(n, paddle.Tensor) else int(n))
        return made if out is None else paddle.assign(made, out)

    return polynomial


def _chebyshev(begin):
    return _by_recurrence(begin, lambda x, k, now, before: 2 * x * now - before)


def _shifted(begin):
    y = lambda x: 2 * x - 1  # noqa: E731
    return _by_recurrence(lambda x: begin(y(x)), lambda x, k, now, before: 2 * y(x) * now - before)


def _first_t(x):
    return x


def _first_u(x):
    return 2 * x


def _first_v(x):
    return 2 * x - 1


def _first_w(x):
    return 2 * x + 1


special_chebyshev_polynomial_t = _chebyshev(_first_t)
special_chebyshev_polynomial_u = _chebyshev(_first_u)
special_chebyshev_polynomial_v = _chebyshev(_first_v)
special_chebyshev_polynomial_w = _chebyshev(_first_w)
special_shifted_chebyshev_polynomial_t = _shifted(_first_t)
special_shifted_chebyshev_polynomial_u = _shifted(_first_u)
special_shifted_chebyshev_polynomial_v = _shifted(_first_v)
special_shifted_chebyshev_polynomial_w = _shifted(_first_w)
special_hermite_polynomial_h = _by_recurrence(_first_u, lambda x, k, now, before: 2 * (x * now - k * before))
special_hermite_polynomial_he = _by_recurrence(_first_t, lambda x, k, now, before: x * now - k * before)
special_laguerre_polynomial_l = _by_recurrence(
    lambda x: 1 - x, lambda x, k, now, before: ((2 * k + 1 - x) * now - k * before) / (k + 1)
)
special_legendre_polynomial_p = _by_recurrence(
    _first_t, lambda x, k, now, before: ((2 * k + 1) * x * now - k * before) / (k + 1)
)
