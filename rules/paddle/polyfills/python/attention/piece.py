import functools
import math

import paddle

from .overrides import _function
from .torchs_meaning import _torch

_paddles_attention = _function("nn.functional.scaled_dot_product_attention")


def _with_dropout(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa):
    """Attention in single steps, of which one drops what torch's drops."""
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (paddle.repeat_interleave(each, times, axis=-3) for each in (key, value))
    scores = paddle.matmul(query, key, transpose_y=True) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        mask = paddle.ones(scores.shape[-2:], dtype="bool").tril()
    if mask is not None and mask.dtype == paddle.bool:
        scores = paddle.where(mask, scores, paddle.full_like(scores, -math.inf))
    elif mask is not None:
        scores = scores + mask
    shares = _torch("nn.functional.softmax")(scores, -1)
    return paddle.matmul(_torch("nn.functional.dropout")(shares, dropout_p), value)


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    rest = (dropout_p, is_causal, scale, enable_gqa)
    if attn_mask is None or attn_mask.dtype != paddle.bool:
        return _attention(query, key, value, attn_mask, *rest)
    seen = attn_mask.any(-1, keepdim=True)  # a query that sees no key gives zeros in torch, NaN in Paddle
    made = _attention(query, key, value, attn_mask | ~seen, *rest)
    return made * seen.astype(made.dtype)


def _attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    if dropout_p > 0 and query.place.is_cpu_place():
        return _with_dropout(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    shapes = [list(each.shape[:-2]) for each in (query, key, value)]
    rest = {"dropout_p": dropout_p, "is_causal": is_causal, "scale": scale, "enable_gqa": enable_gqa}
    alike = shapes[0] == shapes[1] == shapes[2] and len(shapes[0]) in (1, 2)
    if alike or enable_gqa:
        return _paddles_attention(query, key, value, attn_mask, **rest)
    batch = [*functools.reduce(paddle.broadcast_shape, shapes)]
    heads = [math.prod(batch), 1]  # of four dimensions
    parts = [
        each.expand([*batch, *each.shape[-2:]]).reshape([*heads, *each.shape[-2:]])
        for each in (query, key, value)
    ]
    if attn_mask is not None and attn_mask.ndim > 2:
        size = attn_mask.shape[-2:]
        attn_mask = attn_mask.expand([*batch, *size]).reshape([*heads, *size])
    made = _paddles_attention(*parts, attn_mask, **rest)
    return made.reshape([*batch, *made.shape[-2:]])
