import copy

import paddle

from .torchs_meaning import _torch


def _copies(layer, count):
    return _torch("nn.ModuleList")([copy.deepcopy(layer) for _ in range(count)])


def _activation(given):
    if isinstance(given, str):
        if given not in ("relu", "gelu"):
            raise RuntimeError(f"activation should be relu/gelu, not {given}")
        return getattr(paddle.nn.functional, given)
    return given


class _Layer(paddle.nn.Layer):
    """What encoder and decoder layers share: attention to the input itself, and two linear maps."""

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        made = {"bias": bias, "device": device, "dtype": dtype}
        attention = {"dropout": dropout, "batch_first": batch_first, **made}
        self.self_attn = _torch("nn.MultiheadAttention")(d_model, nhead, **attention)
        if self.crossing:
            self.multihead_attn = _torch("nn.MultiheadAttention")(d_model, nhead, **attention)
        self.linear1 = _torch("nn.Linear")(d_model, dim_feedforward, **made)
        self.dropout = _torch("nn.Dropout")(dropout)
        self.linear2 = _torch("nn.Linear")(dim_feedforward, d_model, **made)
        self.norm_first, self.activation = norm_first, _activation(activation)
        parts = range(1, 4 if self.crossing else 3)
        for part in parts:
            setattr(self, f"norm{part}", _torch("nn.LayerNorm")(d_model, layer_norm_eps, **made))
        for part in parts:
            setattr(self, f"dropout{part}", _torch("nn.Dropout")(dropout))

    # What subclasses of torch's layers override, by torch's names.
    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout1(self._attended(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x):
        last = self.dropout3 if self.crossing else self.dropout2
        return last(self.linear2(self.dropout(self.activation(self.linear1(x)))))

    def _attended(self, attention, x, memory, mask, padding, causal):
        options = {"attn_mask": mask, "key_padding_mask": padding, "need_weights": False}
        return attention(x, memory, memory, is_causal=bool(causal), **options)[0]

    def _in_turn(self, x, parts):
        for number, part in enumerate(parts, 1):
            norm = getattr(self, f"norm{number}")
            x = x + part(norm(x)) if self.norm_first else norm(x + part(x))
        return x


class TransformerEncoderLayer(_Layer):
    crossing = False

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        own = src_mask, src_key_padding_mask, is_causal
        return self._in_turn(src, [lambda x: self._sa_block(x, *own), self._ff_block])


class TransformerDecoderLayer(_Layer):
    crossing = True

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        own = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        other = memory_mask, memory_key_padding_mask, memory_is_causal
        parts = [
            lambda x: self._sa_block(x, *own),
            lambda x: self._mha_block(x, memory, *other),
            self._ff_block,
        ]
        return self._in_turn(tgt, parts)

    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        return self.dropout2(self._attended(self.multihead_attn, x, mem, attn_mask, key_padding_mask, is_causal))


class _Stack(paddle.nn.Layer):
    def __init__(self, layer, num_layers, norm=None):
        super().__init__()
        self.layers, self.num_layers, self.norm = _copies(layer, num_layers), num_layers, norm

    def _pass(self, x, call):
        for layer in self.layers:
            x = call(layer, x)
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    def __init__(
        self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True
    ):
        super().__init__(encoder_layer, num_layers, norm)
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        options = {"src_mask": mask, "src_key_padding_mask": src_key_padding_mask}
        return self._pass(src, lambda layer, x: layer(x, is_causal=bool(is_causal), **options))


class TransformerDecoder(_Stack):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        options = {
            "tgt_mask": tgt_mask, "memory_mask": memory_mask, "tgt_key_padding_mask": tgt_key_padding_mask,
            "memory_key_padding_mask": memory_key_padding_mask, "tgt_is_causal": bool(tgt_is_causal),
            "memory_is_causal": memory_is_causal,
        }  # fmt: skip
        return self._pass(tgt, lambda layer, x: layer(x, memory, **options))


class Transformer(paddle.nn.Layer):
    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-5,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        each = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        each += (batch_first, norm_first, bias, device, dtype)

        def norm():
            made = {"bias": bias, "device": device, "dtype": dtype}
            return _torch("nn.LayerNorm")(d_model, layer_norm_eps, **made)

        layers = TransformerEncoderLayer, TransformerDecoderLayer
        self.encoder = custom_encoder or TransformerEncoder(
            layers[0](*each), num_encoder_layers, norm()
        )
        self.decoder = custom_decoder or TransformerDecoder(
            layers[1](*each), num_decoder_layers, norm()
        )
        for parameter in self.parameters():
            if parameter.ndim > 1:
                _torch("nn.init.xavier_uniform_")(parameter)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        made = paddle.triu(paddle.full([sz, sz], float("-inf"), dtype or paddle.get_default_dtype()), 1)
        return made if device is None else made.to(device)

    def forward(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        masks = tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask
        return self.decoder(tgt, memory, *masks, tgt_is_causal, memory_is_causal)
