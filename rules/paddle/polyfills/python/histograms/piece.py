import collections
import math

import paddle

from .methods_of_tensors import _methods

_Counts = collections.namedtuple("histogram", "hist bin_edges")  # type: ignore[name-match]
_CountsOfMany = collections.namedtuple("histogramdd", "hist bin_edges")  # type: ignore[name-match]


def _edges(values, bins, range):
    """The edges of bins: as given, or of so many that are as wide as each other."""
    if isinstance(bins, paddle.Tensor):
        return bins
    if range is None:
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    else:
        low, high = range
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = paddle.linspace(low, high, bins + 1, dtype=values.dtype)
    edges[-1] = high
    return edges


def _counted(columns, edges, weight, density):
    """How many rows, or which weight of them, there are in each bin."""
    place = paddle.zeros([columns[0].shape[0]], dtype="int64")
    inside = paddle.ones_like(place).astype("bool")
    for column, each in zip(columns, edges, strict=True):
        count = each.shape[0] - 1
        inside = inside & (column >= each[0]) & (column <= each[-1])
        at = paddle.searchsorted(each, column, right=True) - 1
        place = place * count + at.clip(0, count - 1)
    weight = paddle.ones_like(columns[0]) if weight is None else weight.flatten()
    shape = [each.shape[0] - 1 for each in edges]
    total = paddle.zeros([math.prod(shape)], dtype=columns[0].dtype)
    kept = paddle.where(inside, weight, paddle.zeros_like(weight))
    total = paddle.index_add(total, paddle.where(inside, place, 0 * place), 0, kept).reshape(shape)
    if not density:
        return total
    total = total / total.sum()
    for dim, each in enumerate(edges):
        total = total / paddle.diff(each).reshape([-1] + [1] * (len(shape) - dim - 1))
    return total


def histogram(input, bins=100, *, range=None, weight=None, density=False):
    """How many elements there are in each bin, and the edges of the bins."""
    values = input.flatten()
    edges = _edges(values, bins, range)
    return _Counts(_counted([values], [edges], weight, density), edges)


def histogramdd(input, bins, range=None, weight=None, density=False):
    """How many rows there are in each bin of some dimensions, and the edges in each of them."""
    columns = input.reshape([-1, input.shape[-1]]).unbind(1)
    bins = [bins] * len(columns) if isinstance(bins, int) else bins
    ranges = [None] * len(columns) if range is None else [*zip(range[::2], range[1::2], strict=True)]
    edges = [*map(_edges, columns, bins, ranges)]
    return _CountsOfMany(_counted(columns, edges, weight, density), tuple(edges))


_methods(histogram=histogram)
