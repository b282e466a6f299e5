from paddle.nn import functional

from .losses import _warn_of_sizes
from .losses_of_any_operand import _OF_REDUCTION, _reduction_of
from .torchs_meaning import _torch


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    if input.ndim not in (2, 3):
        raise RuntimeError(f"Expected 2D or 3D (batch mode) tensor for input, but got: {input.ndim}D")
    given = {"strides": stride, "paddings": padding, "dilations": dilation}
    rows = input if input.ndim == 3 else input.unsqueeze(0)
    made = functional.fold(rows, output_size, kernel_size, **given)
    return made if input.ndim == 3 else made.squeeze(0)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    reduction = _OF_REDUCTION[_reduction_of(reduction, size_average, reduce)]
    _warn_of_sizes(input, target)
    if weight is None:
        return functional.l1_loss(input, target, reduction=reduction)
    each = _torch("mul")(_torch("abs")(_torch("sub")(input, target)), weight)
    if reduction == "none":
        return each
    return each.sum() if reduction == "sum" else each.sum() / weight.sum()


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = _OF_REDUCTION[_reduction_of(reduction, size_average, reduce)]
    return functional.soft_margin_loss(input, target, reduction=reduction)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """As of rows of an image: Paddle's own refuses the sizes that its results have."""
    kernel, step, edge = (
        each[0] if isinstance(each, (list, tuple)) else each
        for each in (kernel_size, kernel_size if stride is None else stride, padding)
    )
    size = None if output_size is None else (1, [*output_size][-1])
    rows = input.unsqueeze(-2), indices.unsqueeze(-2), (1, kernel), (1, step), (0, edge)
    return max_unpool2d(*rows, size).squeeze(-2)


def _unpooled(dims, input, indices, *given, output_size):
    function = getattr(functional, f"max_unpool{dims}d")
    if input.ndim == dims + 2:
        return function(input, indices, *given, output_size=output_size)
    return function(input.unsqueeze(0), indices.unsqueeze(0), *given, output_size=output_size).squeeze(0)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(2, input, indices, kernel_size, stride, padding, output_size=output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpooled(3, input, indices, kernel_size, stride, padding, output_size=output_size)
