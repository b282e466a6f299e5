import functools

import paddle.nn.functional as functional

from .layer_functions import (
    _batched,
    functional_adaptive_max_pool1d_with_indices,
    functional_adaptive_max_pool2d_with_indices,
    functional_adaptive_max_pool3d_with_indices,
)


def _mean(name, dims):
    theirs = getattr(functional, name)

    def pool(input, output_size):
        return _batched(functools.partial(_call, theirs, output_size), dims, input)

    return pool


def _call(function, output_size, x):
    sizes = list(output_size) if isinstance(output_size, (list, tuple)) else output_size
    return function(x, sizes)


def _of_largest(with_indices):
    def pool(input, output_size, return_indices=False):
        made = with_indices(input, output_size)
        return made if return_indices else made[0]

    return pool


adaptive_avg_pool1d = _mean("adaptive_avg_pool1d", 3)
adaptive_avg_pool2d = _mean("adaptive_avg_pool2d", 4)
adaptive_avg_pool3d = _mean("adaptive_avg_pool3d", 5)
adaptive_max_pool1d = _of_largest(functional_adaptive_max_pool1d_with_indices)
adaptive_max_pool2d = _of_largest(functional_adaptive_max_pool2d_with_indices)
adaptive_max_pool3d = _of_largest(functional_adaptive_max_pool3d_with_indices)
