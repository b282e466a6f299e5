import math

import paddle

from .initial_values import uniform_
from .layers import _BatchNorm, _fill_again, _made
from .normalizations import group_norm, instance_norm, layer_norm
from .torchs_meaning import _torch


class _InstanceNorm(_BatchNorm):
    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        made = num_features, eps, momentum, affine, track_running_stats, device, dtype
        super().__init__(*made, bias=bias)

    def _get_no_batch_dim(self):
        if not self.dims:
            raise NotImplementedError
        return self.dims[0]

    def forward(self, input):
        self._check_input_dim(input)
        at = input.ndim - self._get_no_batch_dim()
        if self.affine and input.shape[at] != self.num_features:
            said = f"to match num_features ({self.num_features}), but got: {input.shape[at]}."
            raise ValueError(f"expected input's size at dim={at} {said}")
        single = at == 0
        given = self.running_mean, self.running_var, self.weight, self.bias
        rest = self.training or self.running_mean is None, self.momentum or 0.0, self.eps
        made = instance_norm(input.unsqueeze(0) if single else input, *given, *rest)
        return made.squeeze(0) if single else made


class InstanceNorm1d(_InstanceNorm):
    dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    dims = (4, 5)


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

    def reset_parameters(self):
        _fill_again(self)

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

    def reset_parameters(self):
        _fill_again(self)

    def forward(self, input):
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class PReLU(paddle.nn.Layer):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        filled = paddle.nn.initializer.Constant(float(init))
        _made(self, "weight", [num_parameters], filled, device, dtype)

    def reset_parameters(self):
        with paddle.no_grad():
            self.weight.fill_(float(self.init))

    def forward(self, input):
        return _torch("nn.functional.prelu")(input, self.weight)


class Bilinear(paddle.nn.Layer):
    def __init__(
        self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None
    ):
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features, self.bias = out_features, None
        zeros = paddle.nn.initializer.Constant(0.0)
        _made(self, "weight", [out_features, in1_features, in2_features], zeros, device, dtype)
        if bias:
            _made(self, "bias", [out_features], zeros, device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in1_features)
        for each in (self.weight, self.bias):
            if each is not None:
                uniform_(each, -bound, bound)

    def forward(self, input1, input2):
        return _torch("nn.functional.bilinear")(input1, input2, self.weight, self.bias)
