import math

import paddle

from .generators import _random
from .methods_of_tensors import _method, _methods


def _bernoulli_(self, p=0.5):
    if isinstance(p, paddle.Tensor):
        p = p.detach().astype("float64")  # unchecked: that would wait for a device
    elif not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    drawn = paddle.rand(self.shape, dtype="float64") < p
    return paddle.assign(drawn.astype(self.dtype), self)


def _geometric_(self, p):
    """Of how many trials, each a success with probability p, the first success is the last."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    rest = 1 - paddle.rand(self.shape, dtype="float64")  # above 0
    counts = paddle.ceil(paddle.log(rest) / math.log1p(-p)).clip(min=1)
    return paddle.assign(counts.astype(self.dtype), self)


_OURS = {"bernoulli_": _bernoulli_, "geometric_": _geometric_}
_THEIRS = ("uniform_", "normal_", "exponential_", "cauchy_", "log_normal_", "random_")
_methods(**{name: _random(method) for name, method in _OURS.items()})
_methods(**{name: _random(_method(name)) for name in _THEIRS})
