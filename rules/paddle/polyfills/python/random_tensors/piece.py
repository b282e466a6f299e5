import functools

import numpy
import paddle

from .dense_tensors import _dense, _sized, empty, empty_like
from .generators import _filled_by, _kept_with, _normally, _random, _uniformly, default_generator


def _like(theirs, fill):
    """A function of a tensor: what it draws lies in memory as the tensor does."""

    def called(input, *args, generator=None, **options):
        draws = functools.partial(fill, like=input)
        return _random(theirs, empty_like, draws)(input, *args, generator=generator, **options)

    return called


rand = _random(_sized(paddle.rand), empty, _uniformly)
randn = _random(_sized(paddle.randn), empty, _normally)
rand_like = _like(_dense(paddle.rand_like), _uniformly)
randn_like = _like(_dense(paddle.randn_like), _normally)


def _unordered(n, dtype=paddle.int64, **options):
    return empty(n, dtype=dtype or paddle.int64, **options)


def _ordered(made, generator):
    own = generator or default_generator
    return _filled_by(made, lambda count, dense: numpy.array(own._permutation(count), "int64"))


randperm = _random(_dense(paddle.randperm), _unordered, _ordered)


def _probabilities(tensor):
    wide = tensor.dtype == paddle.float64
    return numpy.asarray(tensor.detach() if wide else tensor.detach().astype("float32"))


def bernoulli(input, p=None, *, generator=None, out=None):
    """1 with the probability that an element is, or with probability p, else 0."""
    if not input.place.is_cpu_place():
        made = _random(paddle.bernoulli)(input, p, generator=generator)
    else:
        low, high = (float(bound) for bound in (input.min(), input.max())) if p is None and input.size else (0, 0)
        if not (0 <= low and high <= 1 and (p is None or 0 <= p <= 1)):
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
        kept = _kept_with(_probabilities(input) if p is None else p, input, generator)
        made = paddle.to_tensor(kept, place=input.place).astype(input.dtype)
    return made if out is None else paddle.assign(made, out)


def _chosen(weights, count, replacement, own):
    """Which categories are drawn, for each row of weights, as ATen's multinomial on a CPU finds them."""
    if count == 1 or not replacement:
        wide = weights.dtype == numpy.float64
        waits = -numpy.log1p(-own._uniform(weights.size)).reshape(weights.shape)
        shares = weights / (waits if wide else waits.astype("float32"))
        return numpy.argsort(-shares, axis=-1, kind="stable")[:, :count]
    sums = numpy.cumsum(weights, axis=-1, dtype=weights.dtype)
    sums = sums / sums[:, -1:]
    return numpy.stack([numpy.searchsorted(row, own._uniform(count)) for row in sums])


def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """Indices of categories, drawn by their weights along the last dimension."""
    made = _random(paddle.multinomial)(input, num_samples, replacement, generator=generator)
    if input.place.is_cpu_place() and made.size:
        weights = _probabilities(input).reshape(-1, input.shape[-1])
        found = _chosen(weights, num_samples, replacement, generator or default_generator)
        made = paddle.to_tensor(found.astype("int64"), place=input.place).reshape(made.shape)
    return made if out is None else paddle.assign(made, out)
