import collections
import math

import paddle

from .initial_values import uniform_
from .layers import _BatchNorm, _fill_again, _made, _scaled_layer, _text_by_form
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
    extra_repr = _text_by_form(
        "{0.normalized_shape}, eps={0.eps}, elementwise_affine={0.elementwise_affine}, bias={0._has_bias}"
    )
    _has_bias = property(lambda self: self.bias is not None)

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
        _scaled_layer(self, self.normalized_shape, elementwise_affine, bias, device, dtype)

    def reset_parameters(self):
        _fill_again(self)

    def forward(self, input):
        return layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(paddle.nn.Layer):
    extra_repr = _text_by_form(
        "{0.num_groups}, {0.num_channels}, eps={0.eps}, affine={0.affine}, bias={0._has_bias}"
    )
    _has_bias = property(lambda self: self.bias is not None)

    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        _scaled_layer(self, [num_channels], affine, bias, device, dtype)

    def reset_parameters(self):
        _fill_again(self)

    def forward(self, input):
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class PReLU(paddle.nn.Layer):
    extra_repr = _text_by_form("num_parameters={0.num_parameters}")

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
    _has_bias = property(lambda self: self.bias is not None)
    extra_repr = _text_by_form(
        "in1_features={0.in1_features}, in2_features={0.in2_features}, out_features={0.out_features}, "
        "bias={0._has_bias}"
    )

    def __init__(
        self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None
    ):
        super().__init__()
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        zeros = paddle.nn.initializer.Constant(0.0)
        _made(self, "weight", [out_features, in1_features, in2_features], zeros, device, dtype)
        if bias:
            _made(self, "bias", [out_features], zeros, device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in1_features)
        for each in (self.weight, self.bias):
            if each is not None:
                uniform_(each, -bound, bound)

    def forward(self, input1, input2):
        return _torch("nn.functional.bilinear")(input1, input2, self.weight, self.bias)


class SyncBatchNorm(_BatchNorm):
    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        process_group=None,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.ndim < 2:
            raise ValueError(f"expected at least 2D input (got {input.ndim}D input)")

    def forward(self, input):
        shared = paddle.distributed.is_initialized() and paddle.distributed.get_world_size() > 1
        if not shared or not (self.training or self.running_mean is None):
            return super().forward(input)
        self._check_input_dim(input)
        if input.place.is_cpu_place():
            raise ValueError("SyncBatchNorm expected input tensor to be on GPU")
        if self.process_group is not None and self.process_group.nranks != paddle.distributed.get_world_size():
            raise NotImplementedError("SyncBatchNorm of some processes only: Paddle shares sums between all")
        if self.weight is None or self.bias is None or self.momentum is None or self.running_mean is None:
            raise NotImplementedError("SyncBatchNorm without weight, bias, momentum or running statistics")
        self.num_batches_tracked.add_(paddle.ones([], self.num_batches_tracked.dtype))
        sums = self.running_mean, self.running_var
        rest = False, 1 - self.momentum, self.eps, "NCHW", False, False
        return paddle._C_ops.sync_batch_norm_(input, *sums, self.weight, self.bias, *rest)[0]

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        made = module
        if isinstance(module, _BatchNorm) and not isinstance(module, (_InstanceNorm, SyncBatchNorm)):
            kept = module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats
            made = cls(*kept, process_group)
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked"):
                setattr(made, name, getattr(module, name, None))
            made.training = module.training
        for name, part in module.named_children():
            made.add_sublayer(name, cls.convert_sync_batchnorm(part, process_group))
        return made


_ASMoutput = collections.namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(paddle.nn.Layer):
    def __init__(
        self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None
    ):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if cutoffs != sorted({int(each) for each in cutoffs}) or cutoffs[0] < 1 or cutoffs[-1] >= n_classes:
            raise ValueError("cutoffs should be different whole numbers in their order, from 1 to n_classes - 1")
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        linear, made = _torch("nn.Linear"), {"device": device, "dtype": dtype}
        self.head = linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = _torch("nn.ModuleList")()
        for number, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:]), 1):
            inner = int(in_features // div_value**number)
            parts = linear(in_features, inner, bias=False, **made), linear(inner, high - low, bias=False, **made)
            self.tail.append(_torch("nn.Sequential")(*parts))

    def reset_parameters(self):
        for layer in (self.head, *(part for pair in self.tail for part in pair)):
            layer.reset_parameters()

    def forward(self, input_, target_):
        rows, wanted = (input_, target_) if target_.ndim else (input_.unsqueeze(0), target_.unsqueeze(0))
        if len(rows) != len(wanted) or target_.ndim > 1:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if len(wanted) and not 0 <= int(wanted.min()) <= int(wanted.max()) < self.n_classes:
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}]")
        softmax = _torch("nn.functional.log_softmax")
        places, within = wanted.astype("int64"), paddle.zeros([len(wanted)], rows.dtype)
        for number, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            found = paddle.nonzero((wanted >= low).logical_and(wanted < high)).flatten()
            if len(found):
                own = softmax(self.tail[number](rows.index_select(found)), 1)
                own = paddle.take_along_axis(own, (wanted.index_select(found) - low).unsqueeze(1).astype("int64"), 1)
                within = paddle.scatter(within, found, own.flatten().astype(within.dtype))
                cluster = paddle.full([len(found)], self.shortlist_size + number, "int64")
                places = paddle.scatter(places, found, cluster)
        output = paddle.take_along_axis(softmax(self.head(rows), 1), places.unsqueeze(1), 1).flatten() + within
        return _ASMoutput(output if target_.ndim else output.reshape([]), -output.mean())

    def log_prob(self, input):
        softmax = _torch("nn.functional.log_softmax")
        head = softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for number, tail in enumerate(self.tail):
            place = self.shortlist_size + number
            parts.append(softmax(tail(input), 1) + head[:, place : place + 1])
        return paddle.concat(parts, 1)

    def predict(self, input):
        return self.log_prob(input).argmax(1)
