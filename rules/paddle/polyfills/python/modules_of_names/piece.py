import copy
import importlib
import sys
import types

import paddle

from .dropout_layers import _Dropping
from .layers import _BatchNorm, _reduction
from .layers_with_torchs_state import _InstanceNorm
from .linear_layers import NonDynamicallyQuantizableLinear
from .lists_of_modules import ModuleDict, ModuleList, Sequential
from .overrides import _register
from .parameter_containers import ParameterDict, ParameterList
from .torchs_meaning import _torch

# module: where torch offers what it defines, and what that is
_DEFINED_IN = {
    "nn.modules.activation": (
        "nn",
        "Threshold ReLU RReLU Hardtanh ReLU6 Sigmoid Hardsigmoid Tanh SiLU Mish Hardswish ELU CELU SELU GLU GELU "
        "Hardshrink LeakyReLU LogSigmoid Softplus Softshrink MultiheadAttention PReLU Softsign Tanhshrink Softmin "
        "Softmax Softmax2d LogSoftmax",
    ),
    "nn.modules.adaptive": ("nn", "AdaptiveLogSoftmaxWithLoss"),
    "nn.modules.batchnorm": ("nn", "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d"),
    "nn.modules.channelshuffle": ("nn", "ChannelShuffle"),
    "nn.modules.distance": ("nn", "PairwiseDistance CosineSimilarity"),
    "nn.modules.dropout": ("nn", "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout"),
    "nn.modules.flatten": ("nn", "Flatten Unflatten"),
    "nn.modules.fold": ("nn", "Fold Unfold"),
    "nn.modules.instancenorm": ("nn", "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d"),
    "nn.modules.linear": ("nn", "Bilinear Identity LazyLinear Linear"),
    "nn.modules.loss": (
        "nn",
        "L1Loss NLLLoss PoissonNLLLoss GaussianNLLLoss KLDivLoss MSELoss BCELoss BCEWithLogitsLoss "
        "HingeEmbeddingLoss MultiLabelMarginLoss SmoothL1Loss HuberLoss SoftMarginLoss CrossEntropyLoss "
        "MultiLabelSoftMarginLoss CosineEmbeddingLoss MarginRankingLoss MultiMarginLoss TripletMarginLoss "
        "TripletMarginWithDistanceLoss CTCLoss",
    ),
    "nn.modules.normalization": ("nn", "LocalResponseNorm LayerNorm GroupNorm RMSNorm"),
    "nn.modules.padding": (
        "nn",
        "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
        "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d ZeroPad3d",
    ),
    "nn.modules.pixelshuffle": ("nn", "PixelShuffle PixelUnshuffle"),
    "nn.modules.pooling": (
        "nn",
        "MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d AvgPool1d AvgPool2d AvgPool3d LPPool1d "
        "LPPool2d LPPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d "
        "AdaptiveAvgPool3d",
    ),
    "nn.modules.rnn": ("nn", "RNNBase RNN LSTM GRU RNNCellBase RNNCell LSTMCell GRUCell"),
    "nn.modules.sparse": ("nn", "Embedding EmbeddingBag"),
    "nn.modules.transformer": (
        "nn",
        "Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer TransformerDecoderLayer",
    ),
    "nn.modules.upsampling": ("nn", "Upsample UpsamplingNearest2d UpsamplingBilinear2d"),
    "nn.parallel.data_parallel": ("nn.parallel", "DataParallel data_parallel"),
    "nn.parallel.distributed": ("nn.parallel", "DistributedDataParallel"),
    "cuda.memory": (
        "cuda",
        "empty_cache max_memory_allocated max_memory_cached max_memory_reserved mem_get_info memory_allocated memory_cached "
        "memory_reserved memory_stats memory_summary reset_max_memory_allocated reset_peak_memory_stats memory_snapshot "
        "set_per_process_memory_fraction",
    ),
    "cuda.streams": ("cuda", "Event ExternalStream Stream"),
    "autograd.grad_mode": ("", "no_grad enable_grad set_grad_enabled inference_mode"),
    "autograd.variable": ("autograd", "Variable"),
    "serialization": ("", "save load"),
}

_OF_FUNCTIONAL = (  # which Paddle has, without most of these
    "atleast_1d atleast_2d atleast_3d broadcast_shapes broadcast_tensors cartesian_prod block_diag cdist chain_matmul "
    "einsum istft lu norm meshgrid pca_lowrank split stft svd_lowrank tensordot unique unique_consecutive unravel_index"
)


class _KindOfLayers(type):
    """Classes that layers count as instances of, whatever they are derived from."""

    def _counted(cls):
        return tuple(_torch(f"nn.{name}") for name in vars(cls).get("counted", ()))

    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance) or isinstance(instance, cls._counted())

    def __subclasscheck__(cls, other):
        return type.__subclasscheck__(cls, other) or issubclass(other, cls._counted())


class _Loss(paddle.nn.Layer, metaclass=_KindOfLayers):
    counted = tuple(name for name in _DEFINED_IN["nn.modules.loss"][1].split())

    def __init__(self, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        self.reduction = _reduction(reduction, size_average, reduce)


class _WeightedLoss(_Loss):
    counted = ("NLLLoss", "BCELoss", "CrossEntropyLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss")

    def __init__(self, weight=None, size_average=None, reduce=None, reduction="mean"):
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


def _kind_of(name, base, stems, dims="123"):
    counted = tuple(stem + dim for stem in stems.split() for dim in (f"{each}d" for each in dims))
    return _KindOfLayers(name, (base,), {"counted": counted, "__module__": __name__})


_layer_class = paddle.nn.Layer
_norm_base = _kind_of("_NormBase", _BatchNorm, "BatchNorm InstanceNorm")
_PRIVATE = {
    "nn.modules.linear": (NonDynamicallyQuantizableLinear,),
    "nn.modules.loss": (_Loss, _WeightedLoss),
    "nn.modules.batchnorm": (
        _norm_base,
        _kind_of("_BatchNorm", _norm_base, "BatchNorm"),
    ),
    "nn.modules.instancenorm": (_kind_of("_InstanceNorm", _InstanceNorm, "InstanceNorm"),),
    "nn.modules.dropout": (_kind_of("_DropoutNd", _Dropping, "Dropout"),),
    "nn.modules.pooling": tuple(
        _kind_of(f"_{stem}Nd", _layer_class, stem)
        for stem in "MaxPool AvgPool MaxUnpool LPPool AdaptiveAvgPool AdaptiveMaxPool".split()
    ),
    "nn.modules.padding": tuple(
        _kind_of(f"_{stem}Nd", _layer_class, stem)
        for stem in "ConstantPad ReflectionPad ReplicationPad CircularPad".split()
    ),
}
_PRIVATE["nn.modules.batchnorm"][1].counted += ("SyncBatchNorm",)
_PRIVATE["nn.modules.batchnorm"][0].counted += ("SyncBatchNorm",)
_PRIVATE["nn.modules.dropout"][0].counted += ("Dropout", "AlphaDropout", "FeatureAlphaDropout")


def _get_activation_fn(activation):
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return _torch(f"nn.functional.{activation}")


def _get_clones(module, N):
    return _torch("nn.ModuleList")([copy.deepcopy(module) for _ in range(N)])


def _get_seq_len(src, batch_first):
    return src.shape[0 if src.ndim == 2 or not batch_first else 1]


def _generate_square_subsequent_mask(sz, device=None, dtype=None):
    return _torch("nn.Transformer").generate_square_subsequent_mask(sz, device=device, dtype=dtype)


def _detect_is_causal_mask(mask, is_causal=None, size=None):
    """Whether a mask is causal: as is said, or by its values."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    causal = _generate_square_subsequent_mask(size or mask.shape[-2], device=mask.device, dtype=mask.dtype)
    return mask.shape == causal.shape and bool((mask == causal).all())


_PRIVATE["nn.modules.transformer"] = (
    *(_get_activation_fn, _get_clones, _get_seq_len),
    *(_generate_square_subsequent_mask, _detect_is_causal_mask),
)


# What torch's modules of layers import for themselves, and code from there.
_WITH_WHAT_IS_USED = "paddle.nn."
_USED_IN = {name: f"nn.{name}" for name in "Module Parameter ModuleList Linear LayerNorm Dropout init".split()}
_USED_IN |= {"Tensor": "Tensor", "Size": "Size", "F": "nn.functional", "PackedSequence": "nn.utils.rnn.PackedSequence"}
_USED_IN |= {f"_{name}": f"nn.modules.utils._{name}" for name in "single pair triple quadruple ntuple".split()}
_USED_IN |= {f"_size_{name}": f"nn.common_types._size_{name}" for name in "1_t 2_t 3_t 4_t 6_t any_t".split()}
_USED_IN |= {"_shape_t": "Size", "Optimizer": "optim.Optimizer", "xavier_uniform_": "nn.init.xavier_uniform_"}


def _as_imported(home):
    """What torch has by a name: of a module torch's, in which its functions have torch's meaning."""
    return importlib.import_module(f"torch.{home}") if home in ("nn.functional", "nn.init") else _torch(home)


class _ModuleOfNames(types.ModuleType):
    """A module whose names another one has: found when they are asked for."""

    def __init__(self, name, home, names):
        super().__init__(f"paddle.{name}")
        self.__all__ = names.split()
        self._home = f"{home}." if home else ""
        vars(self).update({each.__name__: each for each in _PRIVATE.get(name, ())})

    def __getattr__(self, name):
        value = _torch(self._home + name) if name in self.__all__ else None
        if value is None and name in _USED_IN and self.__name__.startswith(_WITH_WHAT_IS_USED):
            value = _as_imported(_USED_IN[name])
        if value is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return value


def _called_later(name):
    def function(*args, **kwargs):
        return _torch(name)(*args, **kwargs)

    function.__name__ = name
    return function


_OF_LAYERS = {name for key, (_, names) in _DEFINED_IN.items() if "nn.modules." in key for name in names.split()}
_OF_LAYERS |= set("ModuleDict ModuleList ParameterDict ParameterList Sequential".split())
_OF_LAYERS |= {f"{kind}{dims}d" for kind in ("Conv", "ConvTranspose", "LazyConv", "LazyConvTranspose") for dims in (1, 2, 3)}
_OF_LAYERS |= set("Container CrossMapLRN2d FractionalMaxPool2d FractionalMaxPool3d NLLLoss2d".split())


def _of_nn(name):
    """A layer, of those that torch.nn.modules has beside torch.nn."""
    layer = _torch(f"nn.{name}") if name in _OF_LAYERS else None
    if layer is None:
        raise AttributeError(f"module 'torch.nn.modules' has no attribute {name!r}")
    return layer


vars(paddle.nn.modules).setdefault("__getattr__", _of_nn)
_register({f"torch.functional.{name}": _called_later(name) for name in _OF_FUNCTIONAL.split()}, {})
_CONTAINERS = (ParameterDict, ParameterList)  # beside those that Paddle has there
_register(
    {f"torch.nn.modules.container.{each.__name__}": each for each in _CONTAINERS},
    {f"torch.nn.modules.container.{each.__name__}": each for each in (ModuleDict, ModuleList, Sequential)},
)
_register({f"torch.{name}": _ModuleOfNames(name, *where) for name, where in _DEFINED_IN.items()}, {})
setattr(importlib.import_module("torch"), "torch", importlib.import_module("torch"))  # as torch has itself
for _defining in _DEFINED_IN:  # Paddle's own module of modules is reached from torch.nn, too
    if _defining.startswith("nn.modules.") and not hasattr(paddle.nn.modules, _defining[11:]):
        setattr(paddle.nn.modules, _defining[11:], sys.modules[f"torch.{_defining}"])
