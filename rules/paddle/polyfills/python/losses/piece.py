import math
import warnings

import paddle
import paddle.nn.functional as functional

from .computing import _applied, _of_itself, _reduced
from .pointwise import _xlogy


def _warn_of_sizes(input, target):
    if input.shape != target.shape:
        sizes = f"target size (torch.Size({[*target.shape]})) that is different to the input size"
        warnings.warn(
            f"Using a {sizes} (torch.Size({[*input.shape]})). This will likely lead to incorrect results due to "
            "broadcasting. Please ensure they have the same size.",
            stacklevel=3,
        )


def functional_huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    _warn_of_sizes(input, target)

    def loss(x, y, *weights):
        away = (x - y).abs()
        each = paddle.where(away <= delta, 0.5 * away * away, delta * (away - 0.5 * delta))
        return _reduced(each * weights[0] if weights else each, reduction)

    return _applied(loss, input.dtype, input, target, *([] if weight is None else [weight]))


def torch_binary_cross_entropy_with_logits(
    input, target, weight=None, pos_weight=None, reduction=0
):
    def loss(x, y, *weights):
        weights = iter(weights)
        scale = 1 if weight is None else next(weights)
        slope = 1 if pos_weight is None else 1 + (next(weights) - 1) * y
        each = (1 - y) * x + slope * (functional.relu(-x) + paddle.log1p(paddle.exp(-x.abs())))
        return _reduced(each * scale, reduction)

    given = [each for each in (weight, pos_weight) if each is not None]
    return _applied(loss, input.dtype, input, target, *given)


def torch_kl_div(input, target, reduction=0, *, log_target=False):
    def loss(x, y):
        each = y.exp() * (y - x) if log_target else _xlogy(y, y) - y * x
        return _reduced(each, reduction)

    return _applied(loss, input.dtype, input, target)


def torch_margin_ranking_loss(input1, input2, target, margin=0.0, reduction=0):
    def loss(x, y, sign):
        return _reduced((-sign * (x - y) + margin).clip(min=0, max=math.inf), reduction)

    return _applied(loss, input1.dtype, input1, input2, target)


def torch_hinge_embedding_loss(input, target, margin=1.0, reduction=0):
    def loss(x, y):
        zero = paddle.zeros_like(x)
        below = paddle.where(y == -1, zero, x)
        return _reduced(below + paddle.where(y == 1, zero, (margin - x).clip(min=0, max=math.inf)), reduction)

    return _applied(loss, input.dtype, input, target)


def torch_cosine_embedding_loss(input1, input2, target, margin=0.0, reduction=0):
    def loss(x, y, sign):
        small = 1e-12
        lengths = ((x * x).sum(-1) + small) * ((y * y).sum(-1) + small)
        cosine = (x * y).sum(-1) / lengths.sqrt()
        zero = paddle.zeros_like(cosine)
        alike = paddle.where(sign == 1, 1 - cosine, zero)
        apart = paddle.where(sign == -1, (cosine - margin).clip(min=0), zero)
        return _reduced(alike + apart, reduction)

    return _applied(loss, input1.dtype, input1, input2, target)


def torch_pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    def distance(x, y):
        return paddle.linalg.norm(x - y + eps, p, -1, keepdim)

    return _applied(distance, x1.dtype, x1, x2)


def torch_triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction=0
):
    near = torch_pairwise_distance(anchor, positive, p, eps)
    far = torch_pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = paddle.minimum(far, torch_pairwise_distance(positive, negative, p, eps))
    return _of_itself(lambda away: _reduced((margin + away).clip(min=0, max=math.inf), reduction), near - far)


def torch_poisson_nll_loss(input, target, log_input, full, eps, reduction):
    def loss(x, y):
        each = x.exp() - y * x if log_input else x - y * (x + eps).log()
        if full:
            stirling = y * y.log() - y + 0.5 * (2 * 3.141592653589793 * y).log()
            each = each + paddle.where(y <= 1, paddle.zeros_like(y), stirling)
        return _reduced(each, reduction)

    return _applied(loss, input.dtype, input, target)
