import inspect

import paddle

from .layers import _each, _layer, _text_by_form
from .torchs_meaning import _torch

_required = inspect.Parameter.empty  # an argument without a default
_OF_LOSS = {"size_average": None, "reduce": None, "reduction": "mean"}
GELU = _layer("GELU", "gelu", approximate="none")
SiLU = _layer("SiLU", "silu", inplace=False)
Softmax = _layer("Softmax", "softmax", dim=None)
LogSoftmax = _layer("LogSoftmax", "log_softmax", dim=None)
GLU = _layer("GLU", "glu", dim=-1)
Hardshrink = _layer("Hardshrink", "hardshrink", lambd=0.5)
Softshrink = _layer("Softshrink", "softshrink", lambd=0.5)
CosineSimilarity = _layer("CosineSimilarity", "cosine_similarity", dim=1, eps=1e-8)
PairwiseDistance = _layer("PairwiseDistance", "pairwise_distance", p=2.0, eps=1e-6, keepdim=False)
PairwiseDistance.norm = property(lambda self: self.p)
_OF_WINDOWS = {"kernel_size": _required, "dilation": 1, "padding": 0, "stride": 1}
Fold = _layer("Fold", "fold", output_size=_required, **_OF_WINDOWS)
Unfold = _layer("Unfold", "unfold", **_OF_WINDOWS)
PixelShuffle = _layer("PixelShuffle", "pixel_shuffle", upscale_factor=_required)
PixelUnshuffle = _layer("PixelUnshuffle", "pixel_unshuffle", downscale_factor=_required)
ChannelShuffle = _layer("ChannelShuffle", "channel_shuffle", groups=_required)
L1Loss = _layer("L1Loss", "l1_loss", **_OF_LOSS)
MSELoss = _layer("MSELoss", "mse_loss", **_OF_LOSS)
HuberLoss = _layer("HuberLoss", "huber_loss", reduction="mean", delta=1.0)
LocalResponseNorm = _layer(
    "LocalResponseNorm", "local_response_norm", size=_required, alpha=1e-4, beta=0.75, k=1.0
)
SoftMarginLoss = _layer("SoftMarginLoss", "soft_margin_loss", **_OF_LOSS)
TripletMarginLoss = _layer(
    "TripletMarginLoss", "triplet_margin_loss", margin=1.0, p=2.0, eps=1e-6, swap=False, **_OF_LOSS
)
Softplus = _layer("Softplus", "softplus", beta=1.0, threshold=20.0)
CosineEmbeddingLoss = _layer("CosineEmbeddingLoss", "cosine_embedding_loss", margin=0.0, **_OF_LOSS)
SmoothL1Loss = _layer("SmoothL1Loss", "smooth_l1_loss", **_OF_LOSS, beta=1.0)
PoissonNLLLoss = _layer(
    "PoissonNLLLoss",
    "poisson_nll_loss",
    log_input=True,
    full=False,
    size_average=None,
    eps=1e-8,
    reduce=None,
    reduction="mean",
)
AdaptiveAvgPool1d = _layer("AdaptiveAvgPool1d", "adaptive_avg_pool1d", output_size=_required)
AdaptiveAvgPool2d = _layer("AdaptiveAvgPool2d", "adaptive_avg_pool2d", output_size=_required)
AdaptiveAvgPool3d = _layer("AdaptiveAvgPool3d", "adaptive_avg_pool3d", output_size=_required)
_OF_LARGEST = {"output_size": _required, "return_indices": False}
AdaptiveMaxPool1d = _layer("AdaptiveMaxPool1d", "adaptive_max_pool1d", **_OF_LARGEST)
AdaptiveMaxPool2d = _layer("AdaptiveMaxPool2d", "adaptive_max_pool2d", **_OF_LARGEST)
AdaptiveMaxPool3d = _layer("AdaptiveMaxPool3d", "adaptive_max_pool3d", **_OF_LARGEST)
_OF_NORMS = {"norm_type": _required, "kernel_size": _required, "stride": None, "ceil_mode": False}
LPPool1d = _layer("LPPool1d", "lp_pool1d", **_OF_NORMS)
LPPool2d = _layer("LPPool2d", "lp_pool2d", **_OF_NORMS)
LPPool3d = _layer("LPPool3d", "lp_pool3d", **_OF_NORMS)


class Flatten(paddle.nn.Layer):
    extra_repr = _text_by_form("start_dim={0.start_dim}, end_dim={0.end_dim}")

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return _torch("flatten")(input, self.start_dim, self.end_dim)


class Unflatten(paddle.nn.Layer):
    extra_repr = _text_by_form("dim={0.dim}, unflattened_size={0.unflattened_size}")

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        return _torch("unflatten")(input, self.dim, self.unflattened_size)


class _MaxUnpool(paddle.nn.Layer):
    extra_repr = _text_by_form("kernel_size={0.kernel_size}, stride={0.stride}, padding={0.padding}")

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        stride = kernel_size if stride is None else stride
        self.kernel_size, self.stride, self.padding = (_each(self.dims, n) for n in (kernel_size, stride, padding))

    def forward(self, input, indices, output_size=None):
        settings = self.kernel_size, self.stride, self.padding
        return _torch(f"nn.functional.max_unpool{self.dims}d")(input, indices, *settings, output_size=output_size)


class MaxUnpool1d(_MaxUnpool):
    dims = 1


class MaxUnpool2d(_MaxUnpool):
    dims = 2


class MaxUnpool3d(_MaxUnpool):
    dims = 3


class _Pad(paddle.nn.Layer):
    mode = "constant"
    value: float | None = None

    def __init__(self, padding):
        super().__init__()
        self.padding = _each(2 * self.dims, padding)

    def forward(self, input):
        return _torch("nn.functional.pad")(input, self.padding, self.mode, self.value)

    def extra_repr(self):
        return f"{self.padding}"


class ReflectionPad1d(_Pad):
    dims, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    dims, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    dims, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    dims, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    dims, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    dims, mode = 3, "replicate"


class CircularPad1d(_Pad):
    dims, mode = 1, "circular"


class CircularPad2d(_Pad):
    dims, mode = 2, "circular"


class CircularPad3d(_Pad):
    dims, mode = 3, "circular"


class _ConstantPad(_Pad):
    extra_repr = _text_by_form("padding={0.padding}, value={0.value}")

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value


class ConstantPad1d(_ConstantPad):
    dims = 1


class ConstantPad2d(_ConstantPad):
    dims = 2


class ConstantPad3d(_ConstantPad):
    dims = 3


class ZeroPad1d(_Pad):
    dims, value = 1, 0.0


class ZeroPad2d(_Pad):
    dims, value = 2, 0.0


class ZeroPad3d(_Pad):
    dims, value = 3, 0.0
