import math

import paddle

from .steps_of_gradients import _OPS


def _softmax(g, x, axis=-1):
    y = _OPS.softmax(x, axis)
    weighted = g * y
    return weighted - y * weighted.sum(axis, keepdim=True)


def _slopes_of_log_softmax(g, x, axis=-1):
    return g - _OPS.exp(_OPS.log_softmax(x, axis)) * g.sum(axis, keepdim=True)


def _cross_entropy(
    logits,
    label,
    soft_label=False,
    use_softmax=True,
    numeric_stable_mode=True,
    ignore_index=-100,
    axis=-1,
):
    logs = _OPS.log_softmax(logits, axis) if use_softmax else _OPS.log(logits)
    if soft_label:
        return _OPS.exp(logs), -(label * logs).sum(axis, keepdim=True)
    label = label if label.ndim == logits.ndim else label.unsqueeze(axis)
    kept = label != ignore_index
    found = paddle.take_along_axis(logs, paddle.where(kept, label, paddle.zeros_like(label)), axis)
    return _OPS.exp(logs), -found * kept.astype(logs.dtype)


def _bce_loss(g, x, label):
    small = 1e-12
    of_label = _OPS.clip(_OPS.log1p(-x), -100.0, math.inf) - _OPS.clip(
        _OPS.log(x), -100.0, math.inf
    )
    return g * (x - label) / _OPS.clip(x * (1 - x), small, math.inf), g * of_label


def _bce_with_logits(x, label, pos_weight=None, normalize=False, ignore_index=-100):
    weight = 1 if pos_weight is None else 1 + (pos_weight - 1) * label
    loss = (1 - label) * x - weight * _OPS.logsigmoid(x)
    kept = label != ignore_index
    loss = paddle.where(kept, loss, paddle.zeros_like(loss))
    return loss / kept.sum().astype(loss.dtype) if normalize else loss


def _kl_div(x, label, reduction="mean", log_target=False):
    if log_target:
        loss = _OPS.exp(label) * (label - x)
    else:
        positive = label > 0
        log = _OPS.log(paddle.where(positive, label, paddle.ones_like(label)))
        loss = paddle.where(positive, label * (log - x), paddle.zeros_like(x * label))
    if reduction == "batchmean":
        return loss.sum() / x.shape[0]
    return {"none": lambda t: t, "mean": paddle.mean, "sum": paddle.sum}[reduction](loss)


def _centred_and_scaled(x, axes, epsilon):
    centred = x - x.mean(axes, keepdim=True)
    return centred * _OPS.rsqrt((centred * centred).mean(axes, keepdim=True) + epsilon)


def _layer_norm(x, scale, bias, epsilon=1e-5, begin_norm_axis=1):
    found = _centred_and_scaled(x, [*range(begin_norm_axis, x.ndim)], epsilon)
    found = found if scale is None else found * scale.reshape(x.shape[begin_norm_axis:])
    return found if bias is None else found + bias.reshape(x.shape[begin_norm_axis:])


def _group_norm(x, scale, bias, epsilon=1e-5, groups=1, data_format="NCHW"):
    last = data_format[-1] == "C"
    first = x.transpose([0, x.ndim - 1, *range(1, x.ndim - 1)]) if last else x
    parts = first.reshape([first.shape[0], groups, math.prod(first.shape[1:]) // groups])
    found = _by_channel(_centred_and_scaled(parts, [2], epsilon).reshape(first.shape), scale, bias)
    return found.transpose([0, *range(2, x.ndim), 1]) if last else found


def _instance_norm(x, scale, bias, epsilon=1e-5):
    return _by_channel(_centred_and_scaled(x, [*range(2, x.ndim)], epsilon), scale, bias)


def _by_channel(x, scale, bias):
    shape = [1, -1, *[1] * (x.ndim - 2)]
    x = x if scale is None else x * scale.reshape(shape)
    return x if bias is None else x + bias.reshape(shape)


def _at_most(x, most):
    return paddle.where(x > most, paddle.full_like(x, most), x)


def _elu(x, alpha=1.0):
    return paddle.where(x > 0, x, alpha * _OPS.expm1(_at_most(x, 0)))


def _mish(x, threshold=20.0):
    return x * _OPS.tanh(
        paddle.where(x > threshold, x, _OPS.log1p(_OPS.exp(_at_most(x, threshold))))
    )


def _selu(x, scale=1.0507009873554805, alpha=1.6732632423543772):
    return scale * paddle.where(x > 0, x, alpha * _OPS.expm1(_at_most(x, 0)))


def _looked_up(g, x, weight, padding_idx=-1, sparse=False):
    rows = g.reshape([-1, weight.shape[-1]])
    kept = (x.flatten() != padding_idx).astype(g.dtype).unsqueeze(-1)
    return None, paddle.index_add(paddle.zeros_like(weight), x.flatten(), 0, rows * kept)


def _gelu(x, approximate=False):
    if approximate in (True, "tanh"):
        return 0.5 * x * (1 + _OPS.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))
    return 0.5 * x * (1 + _OPS.erf(x / math.sqrt(2)))


_SLOPES_OF_LAYERS = {
    "softmax": (_softmax, None),
    "log_softmax": (_slopes_of_log_softmax, None),
    "bce_loss": (_bce_loss, None),
    "embedding": (_looked_up, None),
}
_STEPS_OF_LAYERS = {
    "cross_entropy_with_softmax": (_cross_entropy, None),
    "sigmoid_cross_entropy_with_logits": (_bce_with_logits, None),
    "kldiv_loss": (_kl_div, None),
    "layer_norm": (_layer_norm, None),
    "group_norm": (_group_norm, None),
    "instance_norm": (_instance_norm, None),
    "elu": (_elu, None),
    "mish": (_mish, None),
    "selu": (_selu, None),
    "gelu": (_gelu, None),
}
