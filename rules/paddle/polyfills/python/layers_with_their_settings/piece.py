import inspect

import paddle

from .layers import _each, _layer
from .torchs_meaning import _torch

_required = inspect.Parameter.empty  # an argument without a default
_OF_LOSS = {"size_average": None, "reduce": None, "reduction": "mean"}
GELU = _layer("GELU", "gelu", approximate="none")
SiLU = _layer("SiLU", "silu", inplace=False)
Softmax = _layer("Softmax", "softmax", dim=None)
LogSoftmax = _layer("LogSoftmax", "log_softmax", dim=None)
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
