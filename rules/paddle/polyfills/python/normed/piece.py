import functools

import paddle

from .functions import _moments
from .rounded_steps import _unrounded, _sloped_steps


def _statistics(r, x, dims, eps, in_sums):
    """The means, and one by the deviations, of squares that may be rounded when they are summed."""
    variance, mean = _moments(x, dims, False, None, True)
    if in_sums:
        count = x.size // max(variance.size, 1)
        variance = r(r(variance * count) / count)
    return r(mean), r(paddle.rsqrt(variance + eps))


def _normed(dims, eps, in_sums, has_weight, of_batch, r, x, *scales):
    mean, rate = _statistics(r if of_batch else _unrounded, x, dims, eps, in_sums)
    out = (x - mean) * rate
    out = out * scales[0] if has_weight else out
    return out + scales[-1] if len(scales) > has_weight else out


def _of_normed(dims, eps, in_sums, has_weight, r, grad, out, x, *scales):
    mean, rate = _statistics(r, x, dims, eps, in_sums)
    each = (x - mean) * rate
    inner = grad * scales[0] if has_weight else grad
    along = inner - inner.mean(dims, keepdim=True) - each * (inner * each).mean(dims, keepdim=True)
    of_scales = [grad * each] * has_weight + [grad]
    return rate * along, *of_scales[: len(scales)]


def _normalized(input, dims, eps, weight, bias, of_batch=False):
    """A tensor less its means over dimensions, by its deviations; the scales have as many
    dimensions as it. Torch keeps these in half for gradients, and those of a batch at once."""
    given = [each for each in (weight, bias) if each is not None]
    settings = dims, eps, of_batch and input.dtype == paddle.bfloat16, weight is not None
    slopes = functools.partial(_of_normed, *settings)
    function = functools.partial(_normed, *settings, of_batch)
    return _sloped_steps(function, slopes, input.dtype, input, *given)
