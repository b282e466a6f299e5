import paddle

from .norms import _root
from .overrides import _function

_distances = _function("cdist")
_WHERE_MANY, _BY_PRODUCTS = "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist"


def _by_squares(x1, x2):
    squares = [(each * each).sum(-1, keepdim=True) for each in (x1, x2)]
    ones = [paddle.ones_like(each) for each in squares]
    left, right = paddle.concat([-2 * x1, squares[0], ones[0]], -1), paddle.concat([x2, ones[1], squares[1]], -1)
    return _root((left @ right.mT).clip(0), 2)


def cdist(x1, x2, p=2.0, compute_mode=_WHERE_MANY):
    """The distances of the rows of batches that broadcast."""
    if x1.size and x2.size and min(x1.ndim, x2.ndim) > 1:
        batch = paddle.broadcast_shape(x1.shape[:-2], x2.shape[:-2])
        x1, x2 = (each.expand([*batch, *each.shape[-2:]]) for each in (x1, x2))
        many = max(x1.shape[-2], x2.shape[-2]) > 25
        if p == 2 and (compute_mode == _BY_PRODUCTS or (many and compute_mode == _WHERE_MANY)):
            return _by_squares(x1, x2)
    return _distances(x1, x2, p, compute_mode)
