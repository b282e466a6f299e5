import paddle

from .initial_values import xavier_normal_, xavier_uniform_
from .layers import _made
from .multi_head_attention import multi_head_attention_forward
from .torchs_meaning import _torch


class MultiheadAttention(paddle.nn.Layer):
    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"embed_dim and num_heads must be greater than 0, not {embed_dim} and {num_heads}")
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout, self.batch_first, self.add_zero_attn = dropout, batch_first, add_zero_attn
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        shapes = {"in_proj_weight": [3 * embed_dim, embed_dim]}
        if not self._qkv_same_embed_dim:
            sizes = {"q": embed_dim, "k": self.kdim, "v": self.vdim}
            shapes = {f"{name}_proj_weight": [embed_dim, size] for name, size in sizes.items()}
        shapes |= {"in_proj_bias": [3 * embed_dim]} if bias else {}
        shapes |= dict.fromkeys(("bias_k", "bias_v"), [1, 1, embed_dim]) if add_bias_kv else {}
        self.bias_k = self.bias_v = None
        others = [f"{part}_proj_weight" for part in ("q", "k", "v", "in")]
        for name in dict.fromkeys([*[each for each in shapes if "weight" in each], *others, *shapes, "in_proj_bias"]):
            if name in shapes:
                _made(self, name, shapes[name], paddle.nn.initializer.Constant(0.0), device, dtype)
            else:
                self.register_parameter(name, None)
        last = _torch("nn.modules.linear.NonDynamicallyQuantizableLinear")
        self.out_proj = last(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        self._reset_parameters()

    def _reset_parameters(self):
        for part in ("in", "q", "k", "v"):
            weight = getattr(self, f"{part}_proj_weight")
            if weight is not None:
                xavier_uniform_(weight)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                xavier_normal_(bias)
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None:
                paddle.nn.initializer.Constant(0.0)(bias)

    def forward(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        turned = self.batch_first and query.ndim == 3
        if turned:
            query, key, value = (_torch("transpose")(each, 0, 1) for each in (query, key, value))
        made, shares = multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return _torch("transpose")(made, 0, 1) if turned else made, shares
