import paddle

from .computing import _is_zero, _reduced
from .promotion import _result_dtype
from .rounded_steps import _in_steps, _takes_half, _unrounded


def _times_own_logarithm(r, y):
    """y * log(y), 0 of 0; each factor's gradient is rounded, and then their sum."""
    none = _is_zero(y)
    logarithm = paddle.where(none, paddle.ones_like(y), y).log()
    both = r(y)
    if r is _unrounded:
        each = y * logarithm
    else:
        each = r(both) * logarithm.detach() + (r(both) - y.detach())
    return paddle.where(none, paddle.zeros_like(y), each)


@_takes_half
def kl_div(
    input, target, size_average=None, reduce=None, reduction="mean", log_target=False
):
    """The Kullback-Leibler divergences of logarithms of probabilities."""
    if size_average is not None or reduce is not None:
        summed = size_average is not None and not size_average
        reduction = "none" if reduce is False else "sum" if summed else "mean"

    def divergence(r, x, y):
        if log_target:
            each = r(r(y.exp()) * r(y - x))
        else:
            each = r(r(_times_own_logarithm(r, y)) - r(r(y) * x))
        if reduction == "batchmean":
            return r(each.sum()) / x.shape[0] if x.ndim else each
        return _reduced(each, reduction)

    return _in_steps(divergence, _result_dtype(input, target), input, target)
