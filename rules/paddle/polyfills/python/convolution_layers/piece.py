import math

import paddle

from .initial_values import uniform_
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
        *,
        output_padding=0,
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
            _each(self.dims, value) for value in (kernel_size, stride, dilation, output_padding)
        )
        self.padding = padding if isinstance(padding, str) else _each(self.dims, padding)
        self.padding_mode = padding_mode
        channels = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = [channels[0], channels[1] // groups, *self.kernel_size]
        zeros = paddle.nn.initializer.Constant(0.0)
        _made(self, "weight", shape, zeros, device, dtype)
        if bias:
            _made(self, "bias", [out_channels], zeros, device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(max(math.prod(self.weight.shape[1:]), 1))
        for each in (self.weight, self.bias):
            if each is not None and 0 not in each.shape:
                uniform_(each, -bound, bound)

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
        convolve = _torch(f"nn.functional.conv{len(self.kernel_size)}d")  # of what stands for a layer, too
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


class _ConvTransposeNd(_ConvNd):
    transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError('Only "zeros" padding mode is supported')
        given = stride, padding, dilation, groups, bias, padding_mode, device, dtype
        super().__init__(in_channels, out_channels, kernel_size, *given, output_padding=output_padding)

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        """What is added behind each dimension, so that the output has a size."""
        if output_size is None:
            return self.output_padding
        wanted = [*output_size][-num_spatial_dims:]
        rest = stride, padding, dilation or (1,) * num_spatial_dims, kernel_size
        smallest = [
            (length - 1) * step - 2 * pad + spread * (size - 1) + 1
            for length, step, pad, spread, size in zip(input.shape[-num_spatial_dims:], *rest, strict=True)
        ]
        added = [size - low for size, low in zip(wanted, smallest, strict=True)]
        if any(not 0 <= more < step for more, step in zip(added, stride, strict=True)):
            largest = [low + step - 1 for low, step in zip(smallest, stride, strict=True)]
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {smallest} to {largest}"
            )
        return added

    def forward(self, input, output_size=None):
        convolve = _torch(f"nn.functional.conv_transpose{self.dims}d")
        sizes = self.stride, self.padding, self.kernel_size, self.dims, self.dilation
        added = self._output_padding(input, output_size, *sizes)
        rest = map(list, (self.stride, self.padding, added))
        return convolve(input, self.weight, self.bias, *rest, self.groups, [*self.dilation])


class ConvTranspose1d(_ConvTransposeNd):
    dims = 1


class ConvTranspose2d(_ConvTransposeNd):
    dims = 2


class ConvTranspose3d(_ConvTransposeNd):
    dims = 3
