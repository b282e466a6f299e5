import paddle

from .torchs_meaning import _torch


class Upsample(paddle.nn.Layer):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.mode, self.align_corners = size, mode, align_corners
        factors = tuple(map(float, scale_factor)) if isinstance(scale_factor, tuple) else scale_factor
        self.scale_factor = float(factors) if isinstance(factors, (int, float)) and factors else factors
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input):
        settings = self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        return _torch("nn.functional.interpolate")(input, *settings)

    def extra_repr(self):
        shown = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{shown}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", True)
