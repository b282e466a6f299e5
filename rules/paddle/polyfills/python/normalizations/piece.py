import functools
import math

import paddle

from .computing import _applied, _of_itself
from .half_on_cpu import _is_half_on_cpu
from .functions import _moments
from .layer_functions import torch_batch_norm
from .normed import _normalized
from .overrides import _function
from .rounded_steps import _takes_half

_paddles_layer_norm = _function("nn.functional.layer_norm")
_paddles_group_norm = _function("nn.functional.group_norm")


@_takes_half
def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """Paddle's momentum is the weight of the old statistics, torch's that of the new ones."""
    if training and input.ndim > 1 and input.size // max(input.shape[1], 1) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {list(input.shape)}"
        )
    return torch_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


@_takes_half
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    """Each image's channels as those of one batch, whose statistics are kept by their means."""
    batch, channels, *rest = input.shape
    if use_input_stats and math.prod(rest) == 1:
        raise ValueError(
            f"Expected more than 1 spatial element when training, got input size {list(input.shape)}"
        )
    given = weight, bias, running_mean, running_var
    scales = [
        each if each is None else _of_itself(lambda x: x.tile([batch]), each) for each in given
    ]
    flat = input.reshape([1, batch * channels, *rest])
    made = torch_batch_norm(flat, *scales, use_input_stats, momentum, eps).reshape(input.shape)
    if use_input_stats and running_mean is not None:
        with paddle.no_grad():
            for kept, new in ((running_mean, scales[2]), (running_var, scales[3])):
                means = _of_itself(lambda x: x.mean(0), new.reshape([batch, channels]))
                paddle.assign(means, kept)
    return made


@_takes_half
@functools.wraps(_paddles_layer_norm)
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    normalized_shape = [*normalized_shape]
    count = len(normalized_shape)
    if not count or list(input.shape[-count:]) != normalized_shape:
        wanted = f"[*, {str(normalized_shape)[1:]}"
        raise RuntimeError(
            f"Given normalized_shape={normalized_shape}, expected input with shape {wanted}, "
            f"but got input of size{list(input.shape)}"
        )
    if not 0 <= eps <= 0.001 or _is_half_on_cpu(input):
        return _normalized(input, [*range(-count, 0)], eps, weight, bias)
    scales = [each if each is None else each.reshape([-1]) for each in (weight, bias)]
    if input.ndim != count or not input.size:
        return _paddles_layer_norm(input, normalized_shape, *scales, eps)
    return _paddles_layer_norm(input.unsqueeze(0), normalized_shape, *scales, eps).squeeze(0)


@_takes_half
def torch_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return layer_norm(input, normalized_shape, weight, bias, eps)


@_takes_half
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    if not _is_half_on_cpu(input):
        # Paddle's gradient is another one without a weight, and for channels whose weight is 0.
        ones = paddle.ones([input.shape[1]], dtype=input.dtype)
        made = _paddles_group_norm(input, num_groups, ones, None, eps)
        shape = [1, -1, *[1] * (input.ndim - 2)]
        made = made if weight is None else made * weight.reshape(shape)
        return made if bias is None else made + bias.reshape(shape)
    batch, channels, *rest = input.shape
    if channels % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {input.shape} and num_groups={num_groups}"
        )
    shape = [num_groups, channels // num_groups, *[1] * len(rest)]
    scales = [each if each is None else each.reshape([1, *shape]) for each in (weight, bias)]
    each = input.reshape([batch, *shape[:2], *rest])
    return _normalized(each, [*range(2, each.ndim)], eps, *scales).reshape(input.shape)


@_takes_half
def torch_group_norm(input, num_groups, weight=None, bias=None, eps=1e-5, cudnn_enabled=True):
    return group_norm(input, num_groups, weight, bias, eps)


def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    out = torch_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    if not training:
        none = paddle.empty([0], dtype=input.dtype)
        return out, none, none.clone()
    dims = [dim for dim in range(input.ndim) if dim != 1]

    def kept(x):
        variance, mean = _moments(x, dims, False, None, False)
        return mean, paddle.rsqrt(variance + eps)

    return (out, *_applied(kept, input.dtype, input.detach()))


def _native_batch_norm_legit(input, weight, bias, *rest):
    statistics = rest if len(rest) == 5 else (None, None, *rest)
    return native_batch_norm(input, weight, bias, *statistics)


def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    """The groups normalized, their means, and one by their standard deviations."""

    def normed(x, *scales):
        each = x.reshape([N, group, -1])
        variance, mean = _moments(each, [-1], False, None, True)
        rate = paddle.rsqrt(variance + eps)
        out, scales = ((each - mean) * rate).reshape([N, C, -1]), iter(scales)
        out = out if weight is None else out * next(scales).reshape([1, -1, 1])
        out = out if bias is None else out + next(scales).reshape([1, -1, 1])
        return out.reshape(x.shape), mean.squeeze(-1), rate.squeeze(-1)

    given = [each for each in (weight, bias) if each is not None]
    return _applied(normed, input.dtype, input, *given)
