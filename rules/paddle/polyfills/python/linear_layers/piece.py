import math

import paddle
from paddle import compat

from .initial_values import normal_, uniform_
from .layer_functions import _shorten, functional_embedding_bag, torch_embedding
from .layers import _made
from .tensors_of_nothing import _is_of_nothing, _of_nothing


def embedding(
    input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False
):
    """Rows of a table; those of the padding are what the table has, and have no gradient.

    The gradient of the table is dense: Paddle's sparse ones end the process when they are copied.
    """
    if padding_idx is not None:
        if not -weight.shape[0] <= padding_idx < weight.shape[0]:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= weight.shape[0]
    if input.place.is_cpu_place() and input._numel() and not 0 <= input.min() <= input.max() < weight.shape[0]:
        raise IndexError("index out of range in self")  # Paddle would read other memory
    if max_norm is not None:
        _shorten(weight, paddle.unique(input.flatten()), max_norm, norm_type)
    if padding_idx is None and not scale_grad_by_freq:
        return paddle.nn.functional.embedding(input, weight)
    return torch_embedding(weight, input, -1 if padding_idx is None else padding_idx, scale_grad_by_freq)


_linear = compat.nn.functional.linear


class Linear(compat.nn.Linear):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        paddle.nn.Layer.__init__(self)
        self.in_features, self.out_features = in_features, out_features
        zeros = paddle.nn.initializer.Constant(0.0)
        _made(self, "weight", [out_features, in_features], zeros, device, dtype)
        if bias:
            _made(self, "bias", [out_features], zeros, device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def forward(self, input):
        parts = (input, self.weight, self.bias)  # not super(): `self` may stand for a layer
        if _is_of_nothing((input,)):
            return _of_nothing(lambda: _linear(*parts), parts)
        return _linear(*parts)

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in_features) if self.in_features else 0.0
        for each in (self.weight, self.bias):
            if each is not None and 0 not in each.shape:
                uniform_(each, -bound, bound)


class NonDynamicallyQuantizableLinear(Linear):
    """The last layer of attention, which torch's quantization leaves alone."""


class Embedding(paddle.nn.Layer):
    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        if _weight is None:
            zeros = paddle.nn.initializer.Constant(0.0)
            _made(self, "weight", [num_embeddings, embedding_dim], zeros, device, dtype)
            self.reset_parameters()
        elif list(_weight.shape) != [num_embeddings, embedding_dim]:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            given = paddle.nn.initializer.Assign(_weight.detach())
            _made(self, "weight", _weight.shape, given, _weight.place, _weight.dtype)
        self.weight.stop_gradient = _freeze

    def _clear_padding(self):
        if self.padding_idx is not None:
            with paddle.no_grad():
                self.weight[self.padding_idx] = 0.0

    def reset_parameters(self):
        normal_(self.weight)
        self._clear_padding()

    def forward(self, input):
        settings = self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        return embedding(input, self.weight, *settings)

    @classmethod
    def from_pretrained(
        cls,
        embeddings,
        freeze=True,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
    ):
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        settings = padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse
        return cls(*embeddings.shape, *settings, _weight=embeddings, _freeze=freeze)

    def extra_repr(self):
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class EmbeddingBag(Embedding):
    def __init__(
        self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
        sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None,
    ):  # fmt: skip
        settings = max_norm, norm_type, scale_grad_by_freq, sparse
        super().__init__(
            num_embeddings, embedding_dim, padding_idx, *settings, _weight=_weight, device=device, dtype=dtype
        )
        self.mode, self.include_last_offset = mode, include_last_offset

    def forward(self, input, offsets=None, per_sample_weights=None):
        settings = self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, self.sparse
        rest = per_sample_weights, self.include_last_offset, self.padding_idx
        return functional_embedding_bag(input, self.weight, offsets, *settings, *rest)

    @classmethod
    def from_pretrained(
        cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
        sparse=False, include_last_offset=False, padding_idx=None,
    ):  # fmt: skip
        if embeddings.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        settings = max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings
        made = cls(*embeddings.shape, *settings, include_last_offset, padding_idx)
        made.weight.stop_gradient = freeze
        return made

    def extra_repr(self):
        shown = [f"{self.num_embeddings}, {self.embedding_dim}"]
        for name, default in (("max_norm", None), ("norm_type", 2.0), ("scale_grad_by_freq", False)):
            if getattr(self, name) != default:
                shown.append(f"{name}={getattr(self, name)}")
        padding = [] if self.padding_idx is None else [f"padding_idx={self.padding_idx}"]
        return ", ".join([*shown, f"mode={self.mode!r}", *padding])
