import math

import paddle

from .layer_functions import _batched
from .torchs_meaning import _torch


def _sizes(value, rank):
    return [value] * rank if isinstance(value, int) else [*value]


def _begins(sample, length, size, count):
    """Where the windows along a dimension begin, of each image and channel."""
    last = length - size
    if count == 1:
        return paddle.full([*sample.shape, 1], last, dtype="int64")
    step = last / (count - 1)
    at = paddle.arange(count - 1).astype(sample.dtype)
    begins = ((at + sample.unsqueeze(-1)) * step).astype("int64") - (sample.unsqueeze(-1) * step).astype("int64")
    return paddle.concat([begins, paddle.full([*sample.shape, 1], last, dtype="int64")], -1)


def _fractional(rank, both=False):
    def pooled(x, samples, sizes, counts):
        images, lengths = x.shape[:2], x.shape[2:]
        place = paddle.zeros([*images, *[1] * (2 * rank)], dtype="int64")
        for dim in range(rank):
            # torch's numbers are of the last dimension first
            sample = samples[..., rank - 1 - dim if rank == 2 else dim]
            begins = _begins(sample, lengths[dim], sizes[dim], counts[dim])
            each = begins.unsqueeze(-1) + paddle.arange(sizes[dim])
            shape = [n for other in range(rank) for n in (each.shape[2:] if other == dim else [1, 1])]
            place = place * lengths[dim] + each.reshape([*images, *shape])
        firsts, seconds = range(2, 2 + 2 * rank, 2), range(3, 3 + 2 * rank, 2)
        place = place.transpose([0, 1, *firsts, *seconds]).reshape([*images, math.prod(counts), math.prod(sizes)])
        flat = x.reshape([*images, -1])
        values = paddle.take_along_axis(flat, place.reshape([*images, -1]), 2).reshape(place.shape)
        largest = values.argmax(-1, keepdim=True)
        shape = [*images, *counts]
        found = (paddle.take_along_axis(of, largest, -1).reshape(shape) for of in (values, place))
        return tuple(found)

    def function(
        input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None
    ):
        if output_size is None and output_ratio is None:
            raise ValueError("fractional_max_pool requires specifying either an output_size or an output_ratio")
        sizes = _sizes(kernel_size, rank)
        if output_size is None:
            ratios = [output_ratio] * rank if isinstance(output_ratio, float) else output_ratio
            output_size = [int(n * r) for n, r in zip(input.shape[-rank:], ratios, strict=True)]
        counts = _sizes(output_size, rank)
        images = [*(input.shape[:-rank] if input.ndim == rank + 2 else [1, input.shape[0]])]
        samples = _random_samples
        if samples is None:
            samples = _torch("rand")([*images, rank], dtype=input.dtype)
        samples = samples if samples.dtype == paddle.float64 else samples.astype("float32")
        made = _batched(lambda x: pooled(x, samples, sizes, counts), rank + 2, input)
        return made if return_indices or both else made[0]

    return function


fractional_max_pool2d, fractional_max_pool3d = _fractional(2), _fractional(3)
fractional_max_pool2d_with_indices = _fractional(2, both=True)
fractional_max_pool3d_with_indices = _fractional(3, both=True)
