import math

from paddle.nn.functional import relu

from .average_pools import avg_pool1d, avg_pool2d, avg_pool3d
from .layers import _each


def _of_powers(average, dims):
    """The root of the sum of powers of a window."""

    def pool(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        means = average(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
        count = math.prod(_each(dims, kernel_size))
        return (means.sign() * relu(means.abs()) * count).pow(1.0 / norm_type)

    return pool


lp_pool1d = _of_powers(avg_pool1d, 1)
lp_pool2d = _of_powers(avg_pool2d, 2)
lp_pool3d = _of_powers(avg_pool3d, 3)
