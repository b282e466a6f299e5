import math

import numpy
import paddle

from .generators import _array_of, _one_by_one, _with_paddles

_FEW = (  # what Stirling's formula lacks of the logarithms of the first factorials
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _poisson(stream, rate):
    """By products of even numbers if few are expected, else by rejection after Hormann (1993)."""
    if rate >= 10:
        return _many(stream, rate)
    made, product, least = 0, stream.uniform() if rate else 0.0, math.exp(-rate)
    while product > least:
        made, product = made + 1, product * stream.uniform()
    return made


def _many(stream, rate):
    root, logarithm = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    steepness = math.log(1.1239 + 1.1328 / (b - 3.4))
    while True:
        drawn, v = stream.uniform() - 0.5, stream.uniform()
        left = 0.5 - abs(drawn)
        made = math.floor((2 * a / left + b) * drawn + rate + 0.43) if left else -1
        if left >= 0.07 and v <= 0.9277 - 3.6224 / (b - 2):
            return made
        if made < 0 or (left < 0.013 and v > left):
            continue
        height = math.log(v) + steepness - math.log(a / (left * left) + b) if v else -math.inf
        if height <= made * logarithm - rate - math.lgamma(made + 1):
            return made


def poisson(input, generator=None):
    """Counts of events, of which so many are expected as each element says."""
    if not input.place.is_cpu_place():
        return _with_paddles(generator, paddle.poisson, input)
    if not input.is_floating_point():
        raise NotImplementedError(f'"poisson_cpu" not implemented for {input.dtype}')
    rates = _array_of(input)
    if not (rates >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    made = paddle.to_tensor(_one_by_one(_poisson, generator, rates), place=input.place).astype(input.dtype)
    return made if input.stop_gradient else made + 0 * input


def _lacking(count):
    if count < len(_FEW):
        return _FEW[int(count)]
    square = (count + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (count + 1)


def _of_few(stream, count, logarithm):
    """By the waits for one success after the other."""
    made, waited = -1, 0.0
    while waited <= count:
        drawn = stream.uniform()
        made, waited = made + 1, waited + (math.ceil(math.log(drawn) / logarithm) if drawn else math.inf)
    return made


def _of_many(stream, count, p, deviation, odds):
    """By transformed rejection after Hormann (1993)."""
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    likeliest = math.floor((count + 1) * p)
    rest = count - likeliest
    while True:
        drawn, v = stream.uniform() - 0.5, stream.uniform()
        left = 0.5 - abs(drawn)
        made = math.floor((2 * a / left + b) * drawn + count * p + 0.5) if left else -1
        if not 0 <= made <= count:
            continue
        if left >= 0.07 and v <= 0.92 - 4.2 / b:
            return made
        v *= (2.83 + 5.1 / b) * deviation / (a / (left * left) + b)
        bound = (likeliest + 0.5) * math.log((likeliest + 1) / (odds * (rest + 1)))
        bound += (count + 1) * math.log((rest + 1) / (count - made + 1))
        bound += (made + 0.5) * math.log(odds * (count - made + 1) / (made + 1))
        bound += _lacking(likeliest) + _lacking(rest) - _lacking(made) - _lacking(count - made)
        if v <= 0 or math.log(v) <= bound:
            return made


def _binomial(stream, count, p, expected, deviation, odds, logarithm):
    if count <= 0 or p <= 0:
        return 0
    if not p < 1:  # or not a number
        return count * p
    if expected >= 10:
        return _of_many(stream, count, p, deviation, odds)
    return _of_few(stream, count, logarithm)


def binomial(count, prob, generator=None):
    """Of how many trials each element of count says, how many succeed with the probability of prob."""
    if count.dtype != prob.dtype:
        raise RuntimeError(f"Found dtype {count.dtype} but expected {prob.dtype}")
    count, prob = paddle.broadcast_tensors([count, prob])
    if not count.place.is_cpu_place():
        return _with_paddles(generator, paddle.binomial, count, prob).astype(count.dtype)
    if count.dtype not in (paddle.float32, paddle.float64):
        raise NotImplementedError(f'"binomial_cpu" not implemented for {count.dtype}')
    counts, probs = _array_of(count), _array_of(prob)
    often = (probs > 0.5) & (probs < 1)  # then the failures are drawn
    one = probs.dtype.type(1)
    p = numpy.where(often, one - probs, probs)
    with numpy.errstate(all="ignore"):
        settings = counts * p, numpy.sqrt(counts * p * (one - p)), p / (one - p), numpy.log1p(-p)
    made = _one_by_one(_binomial, generator, counts, p, *settings)
    made = numpy.where(often, counts - made, made)
    return paddle.to_tensor(made, place=count.place).astype(count.dtype)
