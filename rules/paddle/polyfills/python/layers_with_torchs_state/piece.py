import math

import paddle

from .layers import _made
from .normalizations import group_norm, layer_norm
from .torchs_meaning import _torch


class LayerNorm(paddle.nn.Layer):
    def __init__(
        self,
        normalized_shape,
        eps=1e-5,
        elementwise_affine=True,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        whole = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if whole else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.weight = self.bias = None
        for name, value in (("weight", 1.0), ("bias", 0.0))[: 1 + bias] if elementwise_affine else ():
            filled = paddle.nn.initializer.Constant(value)
            _made(self, name, self.normalized_shape, filled, device, dtype)

    def forward(self, input):
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(paddle.nn.Layer):
    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = self.bias = None
        for name, value in (("weight", 1.0), ("bias", 0.0))[: 1 + bias] if affine else ():
            filled = paddle.nn.initializer.Constant(value)
            _made(self, name, [num_channels], filled, device, dtype)

    def forward(self, input):
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class PReLU(paddle.nn.Layer):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        filled = paddle.nn.initializer.Constant(float(init))
        _made(self, "weight", [num_parameters], filled, device, dtype)

    def forward(self, input):
        return _torch("nn.functional.prelu")(input, self.weight)


class Bilinear(paddle.nn.Layer):
    def __init__(
        self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None
    ):
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features, self.bias = out_features, None
        bound = 1 / math.sqrt(in1_features)
        uniform = paddle.nn.initializer.Uniform(-bound, bound)
        shape = [out_features, in1_features, in2_features]
        _made(self, "weight", shape, uniform, device, dtype)
        if bias:
            _made(self, "bias", [out_features], uniform, device, dtype)

    def forward(self, input1, input2):
        return _torch("nn.functional.bilinear")(input1, input2, self.weight, self.bias)
