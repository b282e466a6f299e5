import functools
import math

import paddle
import paddle.nn.functional as functional

from .computing import _applied, _reduced
from .losses import (
    _warn_of_sizes,
    torch_cosine_embedding_loss,
    torch_hinge_embedding_loss,
    torch_margin_ranking_loss,
)
from .promotion import _result_dtype
from .rounded_steps import _by_formula, _in_steps, _sloped_steps, _takes_half, _unrounded
from .torchs_meaning import _torch

_OF_REDUCTION = ("none", "mean", "sum")
_NUMBERS_OF_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction_of(reduction, size_average, reduce):
    """The reduction, which torch's older arguments may say."""
    if size_average is None and reduce is None:
        if reduction not in _NUMBERS_OF_REDUCTIONS:
            raise ValueError(f"{reduction} is not a valid value for reduction")
        return _NUMBERS_OF_REDUCTIONS[reduction]
    each = reduce is not None and not reduce
    return 0 if each else 1 if size_average is None or size_average else 2


def _spread_variance(input, variance):
    """The variance, with a last dimension where it has one less than the input."""
    shape, other = [*input.shape], [*variance.shape]
    if shape == other:
        return variance
    if shape[:-1] == other:
        return variance.unsqueeze(-1)
    differing = [n for m, n in zip(shape, other, strict=False) if m != n]
    if len(shape) == len(other) and sum(differing) == 1:
        return variance
    raise ValueError("var is of incorrect size")


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if isinstance(var, float):
        var = paddle.full_like(input, var)
    if bool((var < 0).any()):  # torch waits for it as well
        raise ValueError("var has negative entry/entries")
    var = _spread_variance(input, var)
    if reduction not in _NUMBERS_OF_REDUCTIONS:
        raise ValueError(f"{reduction} is not valid")
    small = paddle.full([], eps, dtype=var.dtype)  # with the gradient of what it stands for
    small = _torch("add")(small, _torch("sub")(var, var.detach()))
    var = _torch("where")(_torch("lt")(var.detach(), eps), small, var)
    away = _torch("sub")(input, target)
    each = _torch("div")(_torch("square")(away), var)
    each = _torch("mul")(_torch("add")(_torch("log")(var), each), 0.5)
    each = _torch("add")(each, 0.5 * math.log(2 * math.pi)) if full else each
    return each if reduction == "none" else _torch(reduction)(each)


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    reduction = _reduction_of(reduction, size_average, reduce)
    logs = input if log_input else _torch("log")(_torch("add")(input, eps))
    each = _torch("sub")(_torch("exp")(input) if log_input else input, _torch("mul")(target, logs))
    if full:
        factorial = _torch("sub")(_torch("mul")(target, _torch("log")(target)), target)
        half_log = _torch("mul")(_torch("log")(_torch("mul")(target, 2 * math.pi)), 0.5)
        factorial = _torch("add")(factorial, half_log)
        each = _torch("add")(each, _torch("masked_fill")(factorial, _torch("le")(target, 1), 0.0))
    return each if not reduction else _torch(_OF_REDUCTION[reduction])(each)


def _paddles_cross_entropy(x, y):
    try:
        return functional.binary_cross_entropy(x, y, reduction="none")
    except ValueError as error:
        raise RuntimeError(str(error)) from error  # of torch's type


@_takes_half
def binary_cross_entropy(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean"
):
    if input.shape != target.shape:
        raise ValueError(
            f"Using a target size ({list(target.shape)}) that is different to the input size "
            f"({list(input.shape)}) is deprecated. Please ensure they have the same size."
        )

    reduction = _reduction_of(reduction, size_average, reduce)

    def loss(r, x, y, *weights):
        if r is _unrounded and y.stop_gradient:  # Paddle's, with a gradient at 0 and 1 too
            each = _paddles_cross_entropy(x, y)
        else:
            missed, found = (r(paddle.clip(r(each), min=-100)) for each in (paddle.log1p(-x), paddle.log(x)))
            each = r(r(r(y - 1) * missed) - r(y * found))
        return _reduced(r(each * weights[0]) if weights else each, reduction)

    def slopes(r, grad, out, x, y, *weights):
        small = r(paddle.full_like(x, 1e-12))
        of_input = r(r(grad * r(x - y)) / paddle.maximum(r(r(1 - x) * x), small))
        of_target = r(-r(paddle.log(r(x / r(1 - x)))) * grad)
        of_input, of_target = (r(each * weights[0]) if weights else each for each in (of_input, of_target))
        shares = (r(each / x.size) if reduction == 1 else each for each in (of_input, of_target))
        return (*shares, *(None for _ in weights))

    weights = [] if weight is None else [weight.detach()]
    if target.stop_gradient:
        return _sloped_steps(loss, slopes, input.dtype, input, target, *weights)
    return _by_formula(functools.partial(_in_steps, loss, input.dtype), slopes, input, target, *weights)


@_takes_half
def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if input.shape != target.shape:
        raise ValueError(
            f"Target size ({list(target.shape)}) must be the same as input size ({list(input.shape)})"
        )
    reduction = _reduction_of(reduction, size_average, reduce)
    given = [each.detach() for each in (weight, pos_weight) if each is not None]

    def scales(values):
        values = iter(values)
        return [each if each is None else next(values) for each in (weight, pos_weight)]

    def loss(r, x, y, *values):
        scale, positive = scales(values)
        logs = r(functional.log_sigmoid(x))
        if positive is not None:
            logs = r(r(r(r(positive - 1) * y) + 1) * logs)
        each = r(r(r(1 - y) * x) - logs)
        return _reduced(each if scale is None else r(each * scale), reduction)

    def slopes(r, grad, out, x, y, *values):
        scale, positive = scales(values)
        share = r(functional.sigmoid(x))
        if positive is None:
            of_input, of_target = r(r(share - y) * grad), -r(x * grad)
        else:
            part, logs = r(positive * y), r(functional.log_sigmoid(x))
            of_input = r(r(r(r(r(part + 1) - y) * share) - part) * grad)
            of_target = r(r(r(functional.log_sigmoid(-x)) - r(logs * positive)) * grad)
        found = [each if scale is None else r(each * scale) for each in (of_input, of_target)]
        return (*(r(each / x.size) if reduction == 1 else each for each in found), *(None for _ in values))

    return _sloped_steps(loss, slopes, _result_dtype(input, target, *given), input, target, *given)


@_takes_half
def mse_loss(
    input, target, size_average=None, reduce=None, reduction="mean", weight=None
):
    reduction = _reduction_of(reduction, size_average, reduce)
    dtype = _result_dtype(input, target)
    _warn_of_sizes(input, target)

    def loss(r, x, y, *weights):
        away = r(x - y)
        each = r(away * away)
        if not weights:
            return _reduced(each, reduction)
        each = r(each * weights[0])
        return each.sum() / r(weights[0].sum()) if reduction == 1 else _reduced(each, reduction)

    def slopes(r, grad, out, x, y):
        away = r(x - y)
        share = r(paddle.full_like(away, 2 / away.size if reduction == 1 else 2))
        away = r(r(share * away) * grad)
        return away, -away

    if weight is None:
        return _sloped_steps(loss, slopes, dtype, input, target)
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    return _in_steps(loss, _result_dtype(input, target, weight), input, target, weight)


def _of_one_dtype(loss):
    """A loss of several tensors, in the dtype that torch computes in."""

    def function(*values, margin, reduction):
        dtype = _result_dtype(*values)
        return loss(*(each.astype(dtype) for each in values), margin, reduction)

    return function


def margin_ranking_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction_of(reduction, size_average, reduce)
    if input1.ndim != input2.ndim or input1.ndim != target.ndim:
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension")
    loss = _of_one_dtype(torch_margin_ranking_loss)
    return loss(input1, input2, target, margin=margin, reduction=reduction)


def hinge_embedding_loss(
    input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction_of(reduction, size_average, reduce)
    return torch_hinge_embedding_loss(input, target, margin, reduction)


def cosine_embedding_loss(
    input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"
):
    reduction = _reduction_of(reduction, size_average, reduce)
    if target.ndim not in (0, 1) or input1.ndim != target.ndim + 1 or input2.ndim != target.ndim + 1:
        raise RuntimeError(f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors")
    loss = _of_one_dtype(torch_cosine_embedding_loss)
    return loss(input1, input2, target, margin=margin, reduction=reduction)


def smooth_l1_loss(
    input, target, size_average=None, reduce=None, reduction="mean", beta=1.0
):
    _warn_of_sizes(input, target)
    if beta < 0:
        raise ValueError("smooth_l1_loss does not support negative values for beta")

    def loss(x, y):
        away = (x - y).abs()
        near = 0.5 * away * away / beta if beta else away
        each = paddle.where(away < beta, near, away - 0.5 * beta)
        return _reduced(each, _reduction_of(reduction, size_average, reduce))

    return _applied(loss, _result_dtype(input, target), input, target)


def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
):
    """The cross entropy of a linear layer's output; in one part, whatever the options say."""
    classes, features = linear_weight.shape[:-1], linear_weight.shape[-1]
    flat = linear_weight.reshape([-1, features])
    bias = linear_bias if linear_bias is None else linear_bias.reshape([-1])
    logits = _torch("nn.functional.linear")(input, flat, bias)
    logits = logits.reshape([*input.shape[:-1], *classes])
    rest = {"reduction": reduction, "label_smoothing": label_smoothing}
    ignored = -100 if ignore_index is None else ignore_index
    return _torch("nn.functional.cross_entropy")(logits, target, weight, ignore_index=ignored, **rest)
