import math

import numpy
import paddle

from .computing import _assign, _refuse_leaf
from .generators import _WIDE, _filled_by, _kept_with, _normally, _uniformly, _with_paddles, default_generator
from .methods_of_tensors import _method, _methods
from .random_integers import _whole_numbers
from .torchs_meaning import _torch


def _require(met, said):
    if not met:
        raise RuntimeError(said)


def _uniform_in(tensor, generator, low=0, high=1):
    said = f"uniform_ expects to return a [from, to) range, but found from={low} > to={high}"
    _require(low <= high, said)
    return _uniformly(tensor, generator, low, high)


def _normal_in(tensor, generator, mean=0, std=1):
    _require(std >= 0, f"normal expects std >= 0.0, but found std {std}")
    return _normally(tensor, generator, mean, std)


def _of_uniform(formula):
    """Puts into a tensor what a formula makes of evenly distributed numbers of float64."""

    def draw_into(tensor, generator, *settings):
        own = generator or default_generator
        return _filled_by(tensor, lambda count, dense: formula(own._uniform(count), *settings))

    return draw_into


@_of_uniform
def _exponential_in(drawn, lambd=1):
    _require(lambd > 0, f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    return -numpy.log1p(-drawn) / lambd


@_of_uniform
def _cauchy_in(drawn, median=0, sigma=1):
    _require(sigma > 0, f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    return median + sigma * numpy.tan(math.pi * (drawn - 0.5))


@_of_uniform
def _geometric_in(drawn, p):
    """Of how many trials, each a success with probability p, the first success is the last."""
    _require(0 < p < 1, f"geometric_ expects p to be in (0, 1), but got p={p}")
    return numpy.ceil(numpy.log(drawn.clip(2.0**-54)) / math.log1p(-p)).clip(1)


def _log_normal_in(tensor, generator, mean=1, std=2):
    _require(std > 0, f"log_normal_ expects std > 0.0, but found std={std}")
    own = generator or default_generator
    return _filled_by(tensor, lambda count, dense: numpy.exp(own._normal(count, True, False) * std + mean))


def _bernoulli_in(tensor, generator, p=0.5):
    if isinstance(p, paddle.Tensor):
        wide = p.dtype == paddle.float64
        p = numpy.asarray(p.detach().cpu() if wide else p.detach().cpu().astype("float32"))
    else:
        _require(0 <= p <= 1, f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    kept = paddle.to_tensor(_kept_with(p, tensor, generator), place=tensor.place)
    return _assign(kept.astype(tensor.dtype), tensor)


_ABOVE_ALL = {
    paddle.bool: 2, paddle.uint8: 2**8, paddle.int8: 2**7, paddle.int16: 2**15, paddle.int32: 2**31,
    paddle.int64: 2**63, paddle.bfloat16: 2**8 + 1, paddle.float16: 2**11 + 1, paddle.float32: 2**24 + 1,
    paddle.float64: 2**53 + 1,
}  # fmt: skip


def _random_in(tensor, generator, low=None, high=None):
    if low is None and high is None:
        own, wide = generator or default_generator, tensor.dtype in (paddle.int64, paddle.float64)
        above = _ABOVE_ALL[tensor.dtype]
        return _filled_by(tensor, lambda count, dense: own._whole(count, above, wide).astype("int64"))
    low, high = (0, low) if high is None else (low, high)
    said = f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
    _require(low < high, said)
    return _whole_numbers(tensor, low, high, generator)


def _drawing(name, on_cpu, *parameters, on_device=None):
    """A method that fills a tensor: by on_cpu, or on a device by on_device or Paddle's own."""
    theirs = on_device or _method(name)

    def method(self, *args, generator=None, **named):
        _refuse_leaf(self)
        settings = [*args, *(named.pop(each) for each in parameters[len(args) :] if each in named)]
        if named:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(named))}'")
        if self.place.is_cpu_place():
            with paddle.no_grad():
                on_cpu(self, generator, *settings)
            return self
        return _with_paddles(generator, theirs, self, *settings)

    return method


def _bernoulli_on_device(self, p=0.5):
    p = p.detach().astype("float64") if isinstance(p, paddle.Tensor) else p
    return _assign((paddle.rand(self.shape, dtype="float64") < p).astype(self.dtype), self)


def _geometric_on_device(self, p):
    rest = 1 - paddle.rand(self.shape, dtype="float64")  # above 0
    counts = paddle.ceil(paddle.log(rest) / math.log1p(-p)).clip(min=1)
    return _assign(counts.astype(self.dtype), self)


def _multinomial(self, num_samples, replacement=False, *, generator=None):
    return _torch("multinomial")(self, num_samples, replacement, generator=generator)


_methods(
    multinomial=_multinomial,
    uniform_=_drawing("uniform_", _uniform_in, "from", "to"),
    normal_=_drawing("normal_", _normal_in, "mean", "std"),
    exponential_=_drawing("exponential_", _exponential_in, "lambd"),
    cauchy_=_drawing("cauchy_", _cauchy_in, "median", "sigma"),
    log_normal_=_drawing("log_normal_", _log_normal_in, "mean", "std"),
    random_=_drawing("random_", _random_in, "from", "to"),
    bernoulli_=_drawing("bernoulli_", _bernoulli_in, "p", on_device=_bernoulli_on_device),
    geometric_=_drawing("geometric_", _geometric_in, "p", on_device=_geometric_on_device),
)
