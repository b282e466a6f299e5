import paddle

from .constraints_of_distributions import _sum_rightmost, constraints, dependent_property
from .transforms_of_distributions import Transform


class _TransformOfParts(Transform):
    """Transforms of the parts of a tensor along a dimension."""

    def __init__(self, tseq, dim=0, cache_size=0):
        assert all(isinstance(each, Transform) for each in tseq), "what is joined must be transforms"
        super().__init__(cache_size)
        self.transforms = [each.with_cache(cache_size) for each in tseq] if cache_size else [*tseq]
        self.dim = dim

    bijective = property(lambda self: all(each.bijective for each in self.transforms))

    def _parts_along(self, value, length):
        """The parts of a tensor that has a length along the dimension."""
        assert -value.dim() <= self.dim < value.dim(), f"a tensor of {value.dim()} dimensions has no {self.dim}"
        assert value.shape[self.dim] == length, f"a length of {length} is needed along {self.dim}"
        return self._divided(value)

    def _parts(self, value):
        return self._parts_along(value, len(self.transforms))

    def _call(self, x):
        return self._joined([each(part) for each, part in zip(self.transforms, self._parts(x))])

    def _inverse(self, y):
        return self._joined([each.inv(part) for each, part in zip(self.transforms, self._parts(y))])

    def _slopes(self, x, y):
        parts = zip(self.transforms, self._parts(x), self._parts(y))
        return [each.log_abs_det_jacobian(*pair) for each, *pair in parts]


class CatTransform(_TransformOfParts):
    """As torch.cat joins the parts."""

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else [*lengths]
        assert len(self.lengths) == len(self.transforms), "a length for each transform is needed"

    event_dim = property(lambda self: max(each.event_dim for each in self.transforms))
    length = property(lambda self: sum(self.lengths))

    def _arguments(self):
        return self.transforms, self.dim, self.lengths

    def _parts(self, value):
        return self._parts_along(value, self.length)

    def _divided(self, value):
        return paddle.split(value, self.lengths, self.dim)

    def _joined(self, parts):
        return paddle.concat(parts, self.dim)

    def log_abs_det_jacobian(self, x, y):
        most = self.event_dim
        slopes = [
            _sum_rightmost(slope, most - each.event_dim) for each, slope in zip(self.transforms, self._slopes(x, y))
        ]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + most
        return paddle.concat(slopes, dim) if dim < 0 else sum(slopes)

    @dependent_property
    def domain(self):
        return constraints.cat([each.domain for each in self.transforms], self.dim, self.lengths)

    @dependent_property
    def codomain(self):
        return constraints.cat([each.codomain for each in self.transforms], self.dim, self.lengths)


class StackTransform(_TransformOfParts):
    """As torch.stack joins the parts."""

    def _arguments(self):
        return self.transforms, self.dim

    def _divided(self, value):
        return paddle.unbind(value, self.dim)

    def _joined(self, parts):
        return paddle.stack(parts, self.dim)

    def log_abs_det_jacobian(self, x, y):
        return self._joined(self._slopes(x, y))

    @dependent_property
    def domain(self):
        return constraints.stack([each.domain for each in self.transforms], self.dim)

    @dependent_property
    def codomain(self):
        return constraints.stack([each.codomain for each in self.transforms], self.dim)


class CumulativeDistributionTransform(Transform):
    """By the distribution function of a distribution."""

    bijective, sign = True, 1
    codomain = constraints.unit_interval

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support)

    def _arguments(self):
        return (self.distribution,)

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)
