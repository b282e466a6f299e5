import numpy
import paddle
import paddle.nn.functional as functional

from .computing import _of_itself, _writing
from .generators import default_generator


def _drawn_slopes(input, lower, upper, generator):
    """A slope for each element that is not above zero, 1 for the others."""
    bent = numpy.asarray(input.detach().astype("float64")) <= 0
    slopes = numpy.ones(bent.shape)
    drawn = (generator or default_generator)._uniform(int(bent.sum()))
    slopes[bent] = drawn * (upper - lower) + lower
    return paddle.to_tensor(slopes, place=input.place)


def torch_rrelu(input, lower=0.125, upper=1 / 3, training=False, generator=None):
    if not training:
        slope = (lower + upper) / 2  # also at 0, where Paddle's gradient is that of positive numbers
        return _of_itself(lambda x: paddle.where(x > 0, x, x * slope), input)
    if not input.place.is_cpu_place():
        return _of_itself(lambda x: functional.rrelu(x, lower, upper), input)
    slopes = _drawn_slopes(input, lower, upper, generator)
    return _of_itself(lambda x: x * slopes.astype(x.dtype), input)


rrelu_ = _writing(torch_rrelu)


def functional_rrelu(input, lower=0.125, upper=1 / 3, training=False, inplace=False):
    return (rrelu_ if inplace else torch_rrelu)(input, lower, upper, training)
