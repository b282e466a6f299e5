import math

import paddle

from .layers import _each, _made
from .torchs_meaning import _torch


class _ConvNd(paddle.nn.Layer):
    transposed = False

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(f"padding_mode must be one of torch's, but got {padding_mode!r}")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation, self.output_padding = (
            _each(self.dims, value) for value in (kernel_size, stride, dilation, 0)
        )
        self.padding = padding if isinstance(padding, str) else _each(self.dims, padding)
        self.padding_mode = padding_mode
        shape = [out_channels, in_channels // groups, *self.kernel_size]
        bound = 1 / math.sqrt(max(math.prod(shape[1:]), 1))
        uniform = paddle.nn.initializer.Uniform(-bound, bound)
        _made(self, "weight", shape, uniform, device, dtype)
        self.bias = None
        if bias:
            _made(self, "bias", [out_channels], uniform, device, dtype)

    def reset_parameters(self):
        bound = 1 / math.sqrt(max(math.prod(self.weight.shape[1:]), 1))
        for each in (self.weight, self.bias):
            if each is not None:
                paddle.nn.initializer.Uniform(-bound, bound)(each)

    def _widths(self):
        """What is added before and behind each dimension, the last one first."""
        pairs = zip(self.kernel_size, self.dilation, strict=True)
        same = [step * (size - 1) for size, step in pairs]
        before = {"same": [total // 2 for total in same], "valid": [0] * self.dims}.get(
            self.padding, self.padding
        )
        behind = [total - total // 2 for total in same] if self.padding == "same" else before
        return [width for pair in zip(before[::-1], behind[::-1], strict=True) for width in pair]

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input = _torch("nn.functional.pad")(input, self._widths(), self.padding_mode)
            padding = 0
        convolve = _torch(f"nn.functional.conv{self.dims}d")
        return convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)

    def extra_repr(self):
        said = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        rest = {
            "padding": (self.padding, (0,) * self.dims),
            "dilation": (self.dilation, (1,) * self.dims),
            "groups": (self.groups, 1),
            "bias": (self.bias is not None, True),
            "padding_mode": (self.padding_mode, "zeros"),
        }
        return said + "".join(f", {name}={value}" for name, (value, usual) in rest.items() if value != usual)


class Conv1d(_ConvNd):
    dims = 1


class Conv2d(_ConvNd):
    dims = 2


class Conv3d(_ConvNd):
    dims = 3
