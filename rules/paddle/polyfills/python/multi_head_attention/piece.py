import paddle

from .torchs_meaning import _torch


def _added_mask(mask, dtype, name):
    """A mask as what is added to the products: -inf where the mask is true."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != paddle.bool:
        raise RuntimeError(f"only bool and floating types of {name} are supported")
    none = paddle.zeros(mask.shape, dtype="float32")
    return _torch("masked_fill")(none, mask, float("-inf")).astype(dtype)


def _projected(values, weight, weights, bias):
    """Queries, keys and values; by one weight for all of them, or by three."""
    weights = weights if weight is None else _torch("chunk")(weight, 3)
    biases = [None] * 3 if bias is None else _torch("chunk")(bias, 3)
    linear = _torch("nn.functional.linear")
    return [linear(*each) for each in zip(values, weights, biases, strict=True)]


def _of_heads(x, heads):
    """Rows by batches and heads."""
    return _torch("transpose")(x.reshape([x.shape[0], heads, x.shape[1] * x.shape[2] // heads]), 0, 1)


def _widened(mask):
    """A mask, with a last column that hides nothing."""
    return mask if mask is None else _torch("nn.functional.pad")(mask, (0, 1))


def _checked_mask(mask, batch, heads, length, source):
    if mask is None:
        return mask
    wanted = [length, source] if mask.ndim == 2 else [batch * heads, length, source]
    if mask.ndim not in (2, 3) or mask.shape != wanted:
        raise RuntimeError(f"The shape of the {mask.ndim}D attn_mask is {mask.shape}, but should be {wanted}.")
    return mask.unsqueeze(0) if mask.ndim == 2 else mask


def _attended(q, k, v, mask, dropout_p):
    """What the rows attend to, and how much."""
    scaled, turned = _torch("mul")(q, q.shape[-1] ** -0.5), _torch("transpose")(k, 1, 2)
    if mask is None:
        shares = _torch("bmm")(scaled, turned)
    else:
        shares = _torch("baddbmm")(mask, scaled, turned)
    shares = _torch("nn.functional.softmax")(shares, dim=-1)
    shares = _torch("nn.functional.dropout")(shares, p=dropout_p) if dropout_p > 0 else shares
    return _torch("bmm")(shares, v), shares


def _attended_without_shares(q, k, v, mask, dropout_p, is_causal, batch):
    q, k, v = (each.reshape([batch, -1, *each.shape[1:]]) for each in (q, k, v))
    if mask is not None:
        mask = mask.unsqueeze(0) if mask.shape[0] == 1 else mask.reshape([batch, -1, *mask.shape[1:]])
    attention = _torch("nn.functional.scaled_dot_product_attention")
    made = attention(q, k, v, mask, dropout_p, is_causal)
    return made.reshape([-1, *made.shape[2:]])


def _with_more(k, v, masks, more_k, more_v, dim):
    """Keys and values with one more of each, which no mask hides."""
    cat = _torch("cat")
    return cat([k, more_k], dim), cat([v, more_v], dim), *map(_widened, masks)


def multi_head_attention_forward(
    query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v,
    add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None,
    need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None,
    k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
    is_causal=False,
):  # fmt: skip
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    single = query.ndim == 2
    values = [each.unsqueeze(1) if single else each for each in (query, key, value)]
    (length, batch, size), source = values[0].shape, values[1].shape[0]
    if size != embed_dim_to_check or size % num_heads:
        raise AssertionError(f"embed_dim {size} is not {embed_dim_to_check}, or not divisible by {num_heads}")
    hidden = _added_mask(key_padding_mask, query.dtype, "key_padding_mask")
    if is_causal and hidden is None and not need_weights:
        attn_mask = None
    is_causal = is_causal and attn_mask is None
    mask = _added_mask(attn_mask, query.dtype, "attn_mask")
    mask = _checked_mask(mask, batch, num_heads, length, source)
    weights = q_proj_weight, k_proj_weight, v_proj_weight
    q, k, v = _projected(values, None if use_separate_proj_weight else in_proj_weight, weights, in_proj_bias)
    if bias_k is not None:
        more = (each.expand([1, batch, size]) for each in (bias_k, bias_v))
        k, v, mask, hidden = _with_more(k, v, (mask, hidden), *more, 0)
    heads = batch * num_heads
    q = _of_heads(q, heads)
    k = _of_heads(k, heads) if static_k is None else static_k
    v = _of_heads(v, heads) if static_v is None else static_v
    if add_zero_attn:
        none = paddle.zeros([heads, 1, k.shape[2]], dtype=k.dtype)
        k, v, mask, hidden = _with_more(k, v, (mask, hidden), none, none, 1)
    if hidden is not None:
        hidden = hidden.reshape([batch, 1, 1, -1]).expand([batch, num_heads, 1, k.shape[1]])
        hidden = hidden.reshape([heads, 1, k.shape[1]])
        mask = hidden if mask is None else _torch("add")(mask, hidden)
    dropout_p, shares = dropout_p if training else 0.0, None
    if need_weights:
        made, shares = _attended(q, k, v, mask, dropout_p)
        shares = shares.reshape([batch, num_heads, length, -1])
        shares = _torch("mean")(shares, dim=1) if average_attn_weights else shares
    else:
        made = _attended_without_shares(q, k, v, mask, dropout_p, is_causal, batch)
    made = _torch("transpose")(made, 0, 1).reshape([length * batch, size])
    made = _torch("nn.functional.linear")(made, out_proj_weight, out_proj_bias).reshape([length, batch, -1])
    if single:
        return made.squeeze(1), None if shares is None else shares.squeeze(0)
    return made, shares
