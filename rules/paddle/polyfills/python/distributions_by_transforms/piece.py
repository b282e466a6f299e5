import math

import paddle

from .composed_distributions import _OfTransforms
from .constraints_of_distributions import broadcast_all, constraints, euler_constant
from .continuous_distributions import Cauchy, Normal, Uniform
from .further_distributions import _Parametrized
from .transforms_to_constraints import AbsTransform, AffineTransform, ExpTransform


class _Half(_OfTransforms):
    """The absolute value of a distribution that is symmetric about zero."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    scale = property(lambda self: self.base_dist.scale)
    mode = property(lambda self: paddle.zeros_like(self.scale))

    def __init__(self, scale, validate_args=None):
        super().__init__(self._whole(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value = self.base_dist._floating(value)
        inside = self.base_dist.log_prob(value) + math.log(2)
        return paddle.where(value >= 0, inside, paddle.full_like(inside, -math.inf))

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value):
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    _whole = Normal
    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))


class HalfCauchy(_Half):
    _whole = Cauchy
    mean = property(lambda self: paddle.full_like(self.scale, math.inf))
    variance = property(lambda self: self.base_dist.variance)


class Gumbel(_Parametrized):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    mean = property(lambda self: self.loc + self.scale * euler_constant)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)
    variance = property(lambda self: self.stddev**2)

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        limits, ones = paddle.finfo(self.loc.dtype), paddle.ones_like(self.loc)
        base = Uniform(ones * float(limits.tiny), ones * (1 - float(limits.eps)), validate_args=validate_args)
        transforms = [
            ExpTransform().inv, AffineTransform(0, -ones), ExpTransform().inv, AffineTransform(self.loc, -self.scale),
        ]  # fmt: skip
        super().__init__(base, transforms, validate_args=validate_args)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        scaled = (self.loc - value) / self.scale
        return scaled - scaled.exp() - self.scale.log()

    def entropy(self):
        return self.scale.log() + (1 + euler_constant)
