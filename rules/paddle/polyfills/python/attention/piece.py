import functools
import math

import paddle

from .overrides import _function

_paddles_attention = _function("nn.functional.scaled_dot_product_attention")


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
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
