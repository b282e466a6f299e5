import math
import warnings

import paddle

from .torchs_meaning import _tensor_method, _torch


def _without_values(tensor):
    """Whether it is on the meta device: nothing is drawn for it."""
    return getattr(type(tensor), "_is_on_meta", False)


def _refilled(tensor, value):
    if _without_values(tensor):
        return tensor
    with paddle.no_grad():
        paddle.assign(value.astype(tensor.dtype), tensor)
    return tensor


def _drawn(method, tensor, *settings, generator=None):
    if _without_values(tensor):
        return tensor
    options = {} if generator is None else {"generator": generator}
    with paddle.no_grad():
        _tensor_method(method)(tensor, *settings, **options)
    return tensor


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _drawn("uniform_", tensor, a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _drawn("normal_", tensor, mean, std, generator=generator)


def _within(tensor, drawn):
    """The tensor with numbers from drawn, which says too which ones it refuses: those are drawn again."""
    if _without_values(tensor):
        return tensor
    made, refused = drawn()
    while bool(refused.any()):
        again, still = drawn()
        made, refused = paddle.where(refused, again, made), refused & still
    return _refilled(tensor, made)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Numbers of a normal distribution, between bounds: drawn from it, or evenly if few lie between them."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_", stacklevel=2)
    low, high = (math.erf((bound - mean) / std / math.sqrt(2.0)) / 2 for bound in (a, b))

    def normal():
        made = normal_(paddle.empty_like(tensor.detach()), mean, std, generator)
        return made, (made < a) | (made > b)

    def even():
        made = uniform_(paddle.empty_like(tensor.detach()), a, b, generator)
        peak = ((max(a, min(mean, b)) - mean) / std) ** 2
        height = (peak - ((made - mean) / std) ** 2) / 2
        return made, uniform_(paddle.empty_like(made), generator=generator).log() > height

    return _within(tensor, normal if high - low > 0.3 else even)


def constant_(tensor, val):
    return _refilled(tensor, paddle.full_like(tensor.detach(), val))


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def eye_(tensor):
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _refilled(tensor, paddle.eye(*tensor.shape).to(tensor.place))


def dirac_(tensor, groups=1):
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    made = paddle.zeros(tensor.shape)
    middle = [size // 2 for size in tensor.shape[2:]]
    each = tensor.shape[0] // groups
    for group in range(groups):
        for channel in range(min(each, tensor.shape[1])):
            made[(group * each + channel, channel, *middle)] = 1.0
    return _refilled(tensor, made.to(tensor.place))


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor, mode):
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode.lower() == "fan_out"]


def _of_xavier(tensor, gain):
    return gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))


def xavier_uniform_(tensor, gain=1.0, generator=None):
    bound = math.sqrt(3.0) * _of_xavier(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    return normal_(tensor, 0.0, _of_xavier(tensor, gain), generator)


def _of_kaiming(tensor, a, mode, nonlinearity):
    """The standard deviation; none for a tensor without elements."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    gain = paddle.nn.initializer.calculate_gain(nonlinearity, a)
    return gain / math.sqrt(_calculate_correct_fan(tensor, mode))


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    std = _of_kaiming(tensor, a, mode, nonlinearity)
    bound = math.sqrt(3.0) * (std or 0.0)
    return tensor if std is None else uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    std = _of_kaiming(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0.0, std, generator)


def orthogonal_(tensor, gain=1, generator=None):
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if 0 in tensor.shape:
        return tensor
    rows, columns = tensor.shape[0], math.prod(tensor.shape[1:])
    drawn = normal_(paddle.empty([rows, columns]), generator=generator)
    q, r = paddle.linalg.qr(drawn.t() if rows < columns else drawn)
    q = q * paddle.sign(paddle.diag(r))  # as evenly distributed as the drawn values are
    q = q.t() if rows < columns else q
    return _refilled(tensor, (q * gain).reshape(tensor.shape).to(tensor.place))


def sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    normal_(tensor, 0.0, std, generator)
    zeros = math.ceil(sparsity * tensor.shape[0])
    orders = [_torch("randperm")(tensor.shape[0]) for _ in range(tensor.shape[1])]
    kept = paddle.stack([paddle.argsort(order) >= zeros for order in orders], axis=1)
    kept = kept.to(tensor.place)
    return _refilled(tensor, paddle.where(kept, tensor.detach(), paddle.zeros_like(tensor)))
